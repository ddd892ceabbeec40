package dev.millrace.cql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows with so many groups that their state is in several chunks. */
@Timeout(120)
class WindowGrowthTest
{
    private static final int ROWS = 40_000;
    private static final int GROUPS = 20_000;
    private static final int WINDOW = 15_000;
    private static final EventType TYPE = EventType.tuple("Row", new EventProperty("c", CqlType.CHAR),
        new EventProperty("i", CqlType.INT), new EventProperty("d", CqlType.DOUBLE));

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldCountAndSumEachOfManyGroups(final int key)
    {
        final CqlType type = TYPE.properties().get(key).type();
        final List<Field> fields = List.of(new Field("k", new Expression.KeyValue(0, type, true)),
            new Field("n", new Expression.AggregateValue(0, CqlType.BIGINT, true)),
            new Field("s", new Expression.AggregateValue(1, CqlType.DOUBLE, true)));
        final EventType out = EventType.tuple("Out", fields.stream()
            .map(field -> new EventProperty(field.name(), field.expression().type())).toArray(EventProperty[]::new));
        final PipelineHarness harness = new PipelineHarness(new PipelineCompiler().compile(new PipelinePlan("q", "S",
            TYPE, OrderingConstraint.ORDERED, -1, List.of(new Operator.WindowAggregate(new Operator.Window(0, WINDOW),
                List.of(new Expression.Column(key, type, true)), List.of(
                    new Operator.Aggregate(Operator.AggregateFunction.COUNT, null, CqlType.BIGINT),
                    new Operator.Aggregate(Operator.AggregateFunction.SUM,
                        new Expression.Column(2, CqlType.DOUBLE, true), CqlType.DOUBLE)), null, fields,
                List.of(new Operator.Output("q", out, Operator.OutputKind.STREAM)))))), Map.of());
        final Random random = new Random(key);
        final List<PlanInterpreter.Row> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++)
        {
            final int group = random.nextInt(GROUPS);
            rows.add(new PlanInterpreter.Row(List.of("g" + group, group, random.nextInt(100) / 4.0), 10L * i, null));
        }
        for (int from = 0; from < ROWS; from += 200)
        {
            harness.onRows(rows.subList(from, from + 200), false);
        }
        assertThat(harness.results.get("q").stream().map(row -> row.timeNs() + " " + row.values()).sorted().toList())
            .isEqualTo(expected(rows, key).stream().sorted().toList());
    }

    private static List<String> expected(final List<PlanInterpreter.Row> rows, final int key)
    {
        final Map<Object, List<Double>> groups = new HashMap<>();
        final List<String> out = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++)
        {
            final PlanInterpreter.Row row = rows.get(i);
            final List<Double> own = groups.computeIfAbsent(row.values().get(key), group -> new ArrayList<>());
            final String before = own.size() + " " + sum(own);
            own.add((Double)row.values().get(2));
            final PlanInterpreter.Row gone = i < WINDOW ? null : rows.get(i - WINDOW);
            if (gone != null)
            {
                final List<Double> other = groups.get(gone.values().get(key));
                other.remove(gone.values().get(2));
                if (other != own && !other.isEmpty())
                {
                    out.add(row.timeNs() + " " + List.of(gone.values().get(key), (long)other.size(), sum(other)));
                }
            }
            if (!before.equals(own.size() + " " + sum(own)))
            {
                out.add(row.timeNs() + " " + List.of(row.values().get(key), (long)own.size(), sum(own)));
            }
        }
        return out;
    }

    private static double sum(final List<Double> numbers)
    {
        return numbers.stream().mapToDouble(Double::doubleValue).sum();
    }
}
