package dev.millrace.cql.testkit.java;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.JoinBoxes;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Joins that find rows by rectangles give the same rows as joins that compare all pairs. */
@Timeout(60)
class SpatialJoinTest
{
    private static final String AREA = "createRectangle@spatial(z.x, z.y, z.x + z.w, z.y + z.w)";
    private static final String PLACE = "createPoint@spatial(p.x, p.y)";
    private static final String GLOBE_AREA = "createRectangle@spatial(8307, z.x, z.y, z.x + z.w, z.y + z.w)";
    private static final String GLOBE_PLACE = "createPoint@spatial(8307, p.x, p.y)";
    private static final int ROWS = 250;

    private static Rules rules(final String query) throws Exception
    {
        return new Rules(type("P", false), type("Z", true)).query(query);
    }

    private static EventType type(final String name, final boolean isWide)
    {
        final EventProperty id = new EventProperty("id", CqlType.INT);
        final EventProperty x = new EventProperty("x", CqlType.DOUBLE);
        final EventProperty y = new EventProperty("y", CqlType.DOUBLE);
        return isWide ? EventType.tuple(name, id, x, y, new EventProperty("w", CqlType.DOUBLE)) :
            EventType.tuple(name, id, x, y);
    }

    /** Some rectangles are empty, which is not valid, and some coordinates are null. */
    private static List<List<Object>> run(final Rules rules) throws Exception
    {
        final Random random = new Random(11);
        rules.start();
        for (int i = 0; i < ROWS; i++)
        {
            final Double x = random.nextInt(25) == 0 ? null : random.nextInt(800) / 10.0;
            final Double y = random.nextInt(800) / 10.0;
            if (random.nextBoolean())
            {
                rules.row("P", i, i, x, y);
            }
            else
            {
                rules.row("Z", i, i, x, y, random.nextInt(12) * 1.0);
            }
        }
        return rules.rows().stream().sorted(Comparator.comparing(Object::toString)).toList();
    }

    private static boolean isIndexed(final Rules rules)
    {
        return rules.nodes().stream().anyMatch(node -> node instanceof FlowNode.Join join &&
            (JoinBoxes.of(join, true) != null || JoinBoxes.of(join, false) != null));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "P [rows 60] as p, Z [rows 70] as z           ; contain@spatial(A, K, 1.0d)",
        "Z [rows 70] as z, P [rows 60] as p           ; contain@spatial(A, K)",
        "P [now] as p, Z [rows 70] as z               ; contain@spatial(A, K, 0.5d)",
        "Z [range 100 milliseconds] as z, P [now] as p; inside@spatial(A, K, 0.5d)",
        "P [rows 60] as p, Z [partition by id rows 1] as z; anyInteract@spatial(A, K, 2.0d)",
        "P [rows 60] as p, Z [rows 70] as z           ; withinDistance@spatial(K, A, p.id / 100)",
        "P [rows 60] as p, Z [rows 70] as z           ; nn@spatial(A, K, 3)",
        "P [rows 60] as p, Z [rows 70] as z           ; filter@spatial(A, K, 3)",
        "P [rows 60] as p, Z [rows 70] as z           ; contain@spatial(GA, GK, 50000.0d)",
        "P [rows 60] as p, Z [rows 70] as z           ; filter@spatial(GK, GA, 90000.0d)"})
    void shouldFindTheSamePairs(final String from, final String predicate) throws Exception
    {
        final String call = predicate.replace("GA", GLOBE_AREA).replace("GK", GLOBE_PLACE).replace("(A", '(' + AREA)
            .replace(" A", ' ' + AREA).replace("(K", '(' + PLACE).replace(" K", ' ' + PLACE);
        final String select = "IStream(select p.id as p, z.id as z from " + from + " where z.id <> 0 and ";
        final Rules indexed = rules(select + call + " = true)");
        final Rules compared = rules(select + "case when " + call + " then 1 else 0 end = 1)");
        final List<List<Object>> found = run(indexed);
        assertThat(found).isNotEmpty().isEqualTo(run(compared));
        assertThat(indexed.rejected().size()).isPositive().isEqualTo(compared.rejected().size());
        assertThat(isIndexed(indexed)).isTrue();
        assertThat(isIndexed(compared)).isFalse();
    }

    /** The left rows without an area. */
    @Test
    void shouldFindTheSameRowsWithoutPartners() throws Exception
    {
        final String select = "IStream(select p.id as p, z.id as z from P [rows 60] as p left outer join " +
            "Z [rows 70] as z on ";
        final String call = "contain@spatial(" + AREA + ", " + PLACE + ", 0.1d)";
        final Rules indexed = rules(select + call + " = true)");
        assertThat(run(indexed)).isEqualTo(run(rules(select + "case when " + call + " then 1 else 0 end = 1)")));
        assertThat(isIndexed(indexed)).isTrue();
    }

    /** The first condition is evaluated for each pair, and divides by 0. */
    @Test
    void shouldCompareAllPairsAfterAConditionThatCanFail() throws Exception
    {
        final Rules rules = rules("IStream(select p.id as p, z.id as z from P [rows 60] as p, Z [rows 70] as z " +
            "where 1 / (p.id / 1000 - z.id / 1000) = 1 and contain@spatial(" + AREA + ", " + PLACE + ") = true)");
        run(rules);
        assertThat(isIndexed(rules)).isFalse();
        assertThat(rules.rejected()).isNotEmpty();
    }

    @Test
    void shouldCompareAllPairsWhenTheDistanceIsOfTheStoredRow() throws Exception
    {
        final String call = "withinDistance@spatial(" + AREA + ", " + PLACE + ", z.w)";
        final Rules rules = rules(
            "RStream(select p.id as p, z.id as z from P [now] as p, Z [rows 70] as z where " + call + " = true)");
        assertThat(run(rules)).isNotEmpty();
    }
}
