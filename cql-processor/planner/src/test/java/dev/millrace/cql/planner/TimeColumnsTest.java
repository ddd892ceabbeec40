package dev.millrace.cql.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.TimeColumns;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which side of a join matches only earlier rows: left, right, both or none. */
@Timeout(60)
class TimeColumnsTest
{
    private static final Catalog CATALOG = Catalog.builder().add(timed("A", "t")).add(timed("B", "t"))
        .add(timed("C", null)).build();

    private static Catalog.ChannelSource timed(final String name, final String timeProperty)
    {
        return new Catalog.ChannelSource(name, EventType.tuple(name, PlanFixture.property("k", CqlType.INT),
            PlanFixture.property("t", CqlType.BIGINT), PlanFixture.property("u", CqlType.BIGINT)), false,
            FlowNode.TimeKind.APPLICATION, false, List.of(), timeProperty);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "A, B where A.k = B.k and B.t between A.t and A.u                   | right",
        "A, B where A.k = B.k and A.t >= B.t                                | left",
        "A, B where A.k = B.k and B.t > A.t and A.u < B.u                   | right",
        "A, B where A.t < B.t                                               | right",
        "A, B where A.k = B.k and A.t <= B.t and B.t <= A.t                 | both",
        "A, B where A.k = B.k and A.u <= B.t                                | none",
        "A, B where A.k = B.k and A.t <= B.t + 1                            | none",
        "A, B where A.k = B.k and A.t <= B.t and 10 / A.k > B.k             | none",
        "A, C where A.k = C.k and A.t <= C.t                                | none",
        "A[range 5], B[range 5] where A.k = B.k and A.t <= B.t              | right",
        "A[range 5 slide 5], B[range 5] where A.k = B.k and A.t <= B.t      | none",
        "A[rows 5], B[range 5] where A.k = B.k and A.t <= B.t               | none",
    })
    void shouldKnowWhichRowsMatchOnlyEarlierOnes(final String from, final String expected) throws Exception
    {
        final FlowNode result = new RulePlanner().flowsOnly().plan("proc",
            List.of(RuleText.query("q", "select A.k as k from " + from)), CATALOG).flows().get(0).outputs().get(0)
            .input();
        final FlowNode.Join join = (FlowNode.Join)FlowNode.upstream(result).stream()
            .filter(FlowNode.Join.class::isInstance).findFirst().orElseThrow();
        final boolean left = TimeColumns.matchesOnlyEarlier(join, true);
        final boolean right = TimeColumns.matchesOnlyEarlier(join, false);
        assertThat(left ? right ? "both" : "left" : right ? "right" : "none").isEqualTo(expected);
    }
}
