package dev.millrace.cql.planner.expression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.FlowProperties;
import dev.millrace.cql.planner.PlanFixture;
import dev.millrace.cql.planner.RulePlanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Columns of channels that are read: all that determine results, also where rows are compared as a whole. {@code V} is
 * a view of the statement before the last semicolon.
 */
@Timeout(60)
class ColumnReferencesReadTest
{
    private static final EventType WIDE = type("Wide");
    private static final Catalog CATALOG = Catalog.builder().stream("S", WIDE).stream("T", type("Other"))
        .channel("R", type("Bag"), true, true).add(new Catalog.ChannelSource("K", type("Keyed"), true, true,
            List.of("e"))).build();

    private static EventType type(final String name)
    {
        return EventType.tuple(name, PlanFixture.property("a", CqlType.INT), PlanFixture.property("b", CqlType.INT),
            PlanFixture.property("c", CqlType.CHAR), PlanFixture.property("d", CqlType.DOUBLE),
            PlanFixture.property("e", CqlType.BIGINT));
    }

    private static FlowPlan plan(final String text) throws CqlException
    {
        final List<RuleText> rules = new ArrayList<>();
        final String[] statements = text.split(";");
        for (int i = 0; i < statements.length; i++)
        {
            rules.add(i == statements.length - 1 ? RuleText.query("q", statements[i]) :
                RuleText.view("V", statements[i]));
        }
        return new RulePlanner().flowsOnly().plan("proc", rules, CATALOG).flows().get(0);
    }

    private static String columns(final FlowPlan plan, final FlowProperties properties)
    {
        return plan.sources().stream().map(source -> source.name() + ' ' + properties.columnsRead(source).stream()
            .map(source.rows().names()::get).collect(Collectors.joining())).sorted().collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "select a from S where b > 1                                           | S ab",
        "select S.a from S[range 5], T[range 5] where S.c = T.c and T.d > 1    | S ac T cd",
        "select S.a from S[range 5], T[range 5] where S.b = T.b and S.d < T.d  | S abd T bd",
        "select S.a from S[range 5] left outer join T[range 5] on S.b = T.a    | S ab T a",
        "select count(*) as n from S[range 5] group by b                       | S b",
        "select b, sum(d) as x from S[range 5] group by b                      | S bd",
        "select a from S[partition by b rows 2]                                | S ab",
        "select a from S[session gap 5 partition by c]                         | S ac",
        "select a from S[range 5 on d]                                         | S ad",
        "select a from S[rows 5]                                               | S a",
        "select a from S[range 5] order by b                                   | S ab",
        "select a from S[range 5] order by b rows 2 partition by c             | S abc",
        "select distinct a from S[range 5]                                     | S a",
        "(select a from S[range 5]) except (select b from T[range 5])          | S a T b",
        "select T.x from S match_recognize (partition by c measures A.a as x pattern (A) define A as A.b > 1) as T" +
            " | S abc",
        // An expression that can fail rejects its row, even if its value is not read.
        "select a, b / e as x, d + e as y from S; select a from V              | S abe",
        // Rows are identified by the columns that are read; a row of an instant is not identified.
        "select a, b, c from S; select a from V[range 5]                       | S a",
        "select a, b, c from S[range 5]; select distinct a from V              | S a",
        "(select a, b, c from S[range 5]) except (select a, b, c from T[range 5]); select a from V | S abc T abc",
        "select a, b from S union all select a, b from T; select a from V      | S a T a",
        "IStream(select a, b from S[range 5]); select a from V                 | S ab",
        "IStream(select a, b from S); select a from V                          | S a",
        "IStream(select a, b, c from S) difference using (b); select a from V  | S abc",
        "RStream(select a, b from S[range 5]); select a from V                 | S ab",
        "RStream(select a, b from S[now]); select a from V                     | S a",
        "select a, b, c from S[range 5] evaluate every 2; select a from V      | S a",
        // The choice of the deleted row among equal rows determines the order of the remaining ones.
        "select first(a) as x from S[range 5]                                  | S a",
        "select a, b, c from S[partition by b rows 1]; select first(a) as x from V | S ab",
        "select sum(a) as x from S[partition by b rows 1]                      | S ab",
        "select a, b, c from S[range 5] order by d rows 2; select a from V     | S ad",
        "select a, b, c, d from S[partition by b rows 1] order by d rows 2; select a from V | S abcd",
        // A bag is maintained by whole rows, a relation with a key by its key.
        "select a from R                                                       | R abcde",
        "select a from K                                                       | K ae"})
    void shouldKeepTheColumnsThatDecide(final String statements, final String expected) throws CqlException
    {
        final FlowPlan plan = plan(statements);
        assertThat(columns(plan, new FlowProperties(plan))).isEqualTo(expected);
    }

    @Test
    void shouldKeepTheColumnThatTellsThePartition() throws CqlException
    {
        final FlowPlan plan = plan("select a, b, c from S; select b, count(*) as n from V[range 5] group by b");
        final FlowNode window = FlowNode.upstream(plan.outputs().get(0).input()).stream()
            .filter(FlowNode.Window.class::isInstance).findFirst().orElseThrow();
        assertThat(columns(plan, new FlowProperties(plan, Map.of(window, 0)))).isEqualTo("S ab");
    }
}
