package dev.millrace.cql.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.UniqueColumns;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The columns that identify the rows of a query; {@code ?} if unknown, {@code -} for at most one row. */
@Timeout(60)
class UniqueColumnsTest
{
    private static final Catalog CATALOG = Catalog.builder().stream("S", type("Wide")).stream("T", type("Other"))
        .channel("B", type("Bag"), true, true).add(new Catalog.ChannelSource("K", type("Keyed"), true, true,
            List.of("e"))).add(timed("Y", FlowNode.TimeKind.APPLICATION_TOTAL_ORDER))
        .add(timed("Z", FlowNode.TimeKind.APPLICATION)).build();

    private static Catalog.ChannelSource timed(final String name, final FlowNode.TimeKind time)
    {
        return new Catalog.ChannelSource(name, type(name), false, time, false, List.of(), "e");
    }

    private static EventType type(final String name)
    {
        return EventType.tuple(name, PlanFixture.property("a", CqlType.INT), PlanFixture.property("b", CqlType.INT),
            PlanFixture.property("c", CqlType.CHAR), PlanFixture.property("e", CqlType.BIGINT));
    }

    private static String unique(final ProcessorPlan plan)
    {
        final Optional<Set<Integer>> columns;
        final EventType type;
        if (plan.flows().isEmpty())
        {
            final Map<String, Set<Integer>> found = UniqueColumns.of(plan.pipelines().get(0));
            columns = Optional.ofNullable(found.get("q"));
            type = plan.pipelines().get(0).outputs().get(0).type();
        }
        else
        {
            columns = UniqueColumns.of(plan.flows().get(0).outputs().get(0).input());
            type = plan.flows().get(0).outputs().get(0).type();
        }
        return columns.map(found -> found.isEmpty() ? "-" : found.stream().sorted()
            .map(column -> type.properties().get(column).name()).collect(Collectors.joining(" "))).orElse("?");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "select a, count(*) as n from S[range 5] group by a                                     | a",
        "select a as x, b as y, count(*) as n from S group by a, b                              | x y",
        "select a + 1 as x, count(*) as n from S[range 5 slide 5] group by a                    | ?",
        "select a / 5 as x, count(*) as n from S[range 5 slide 5] group by a / 5                | x",
        "select count(*) as n from S[range 5] group by a                                        | ?",
        "select max(a) as m from S[range 5]                                                     | -",
        "select a, max(b) as m from S[range 5 slide 5] group by a having max(b) > 1             | a",
        "IStream(select a, count(*) as n from S[range 5] group by a)                            | ?",
        "select a from S                                                                        | ?",
        "select a from S[range 5]                                                               | ?",
        "select distinct a, b from S[range 5]                                                   | a b",
        "select a, b from S[partition by a rows 1]                                              | a",
        "select a, b from S[partition by a rows 2]                                              | ?",
        "select a, b from S[partition by a rows 1 range 5]                                      | a",
        "select a, b from S[range 5] order by b rows 1 partition by a                           | a",
        "select a, b from S[range 5] order by b rows 2 partition by a                           | ?",
        "select a, e from K order by a rows 2                                                   | e",
        "select a, b from B                                                                     | ?",
        "select e, a from K where b > 1                                                         | e",
        "select K.e as x, S.b as y from K, S[range 5] where K.e = S.e                           | ?",
        "select K.e as x, G.n as y from K, (select e, count(*) as n from S group by e) as G where K.e = G.e  | x",
        "select K.e as x, G.b as y from K, (select b, count(*) as n from S group by b) as G where K.a = G.b  | x",
        "select K.e as x, G.b as y from K, (select b, count(*) as n from S group by b) as G where K.a = G.n  | x y",
        "select G.b as y from K left outer join (select b, count(*) as n from S group by b) as G on K.e = G.n | ?",
        "select a, e from Y[range 5]                                                            | e",
        "select a, b from Y[range 5]                                                            | ?",
        "select a, e from Z[range 5]                                                            | ?",
        "select e as x, b from Y where a > 1 order by b rows 2 partition by a                   | x",
        "select Y.e as x, K.e as y from Y[rows 5], K where Y.a = K.b                            | x y",
        "select Y.e as x, K.a as y from Y[range 5], K where Y.e = K.e                           | x",
        "select a, b from S[partition by a rows 1], (select max(e) as m from T[range 5]) as M where b = M.m  | a",
    })
    void shouldKnowByWhichColumnsRowsDiffer(final String text, final String expected) throws CqlException
    {
        for (final RulePlanner planner : List.of(new RulePlanner(), new RulePlanner().flowsOnly()))
        {
            final List<RuleText> rules = Arrays.stream(new String[]{text})
                .map(each -> RuleText.query("q", each)).toList();
            assertThat(unique(planner.plan("proc", rules, CATALOG))).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({"V union W, a", "V union all W, ?", "V except W, ?", "U except W, a", "U in W, a", "V minus W, ?"})
    void shouldKnowItOfSets(final String text, final String expected) throws CqlException
    {
        final List<RuleText> rules = List.of(RuleText.view("V", "select a from S[range 5]"),
            RuleText.view("W", "select b as a from T[range 5]"),
            RuleText.view("U", "select distinct a from S[range 5]"), RuleText.query("q", text));
        assertThat(unique(new RulePlanner().plan("proc", rules, CATALOG))).isEqualTo(expected);
    }
}
