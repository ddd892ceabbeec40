package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A match waits for an open match of another partition only where the order of times matters: in the output, to an
 * operator behind the pattern, or between several partitions of one value.
 */
@Timeout(60)
class PatternOrderingTest
{
    private static final EventType TYPE = EventType.tuple("S", new EventProperty("o", CqlType.INT),
        new EventProperty("k", CqlType.INT), new EventProperty("v", CqlType.INT));
    private static final String FALLS = "select M.a as a, M.k as k from S match_recognize (partition by %s "
        + "measures A.o as a, A.k as k pattern (A B*) define A as A.v > 0, B as B.v < prev(B.v)) as M";

    private final List<Object> found = new ArrayList<>();
    private FlowEngine engine;

    private void start(final String ordering, final List<RuleText> views, final String text) throws Exception
    {
        final List<RuleText> rules = new ArrayList<>(views);
        rules.add(new RuleText("q", false, text, List.of(), ordering, ordering == null ? null : "k"));
        final FlowPlan plan = new RulePlanner().flowsOnly().plan("p", rules, Catalog.builder()
            .add(new Catalog.ChannelSource("S", TYPE, false, FlowNode.TimeKind.APPLICATION_TOTAL_ORDER, false,
                List.of())).build()).flows().get(0);
        engine = new FlowCompiler().compile(plan).instantiate(new FlowBindings(
            Map.of("q", new BatchSchema(plan.outputs().get(0).type())), Map.of("q", this::take), Map.of(), Map.of(),
            (rows, reason, detail) ->
            {
                throw new AssertionError(reason);
            }, 100));
    }

    private void take(final EventBatch batch)
    {
        for (int row = 0; row < batch.size(); row++)
        {
            found.add(batch.value(0, row));
        }
    }

    private void send(final int o, final int k, final int v)
    {
        final EventBatch batch = new EventBatch(new BatchSchema(TYPE));
        batch.ints(0)[0] = o;
        batch.ints(1)[0] = k;
        batch.ints(2)[0] = v;
        batch.size(1);
        batch.baseTimestampNs(o);
        engine.onBatch(0, batch);
    }

    /** Row 1 of partition 1 may go on until row 4; row 3 ends the match of partition 2. */
    private void check(final boolean waits)
    {
        send(1, 1, 5);
        send(2, 2, 3);
        send(3, 2, 9);
        assertThat(found).as("found while row 1 may go on").isEqualTo(waits ? List.of() : List.of(2));
        send(4, 1, 7);
        assertThat(found).as("found").isEqualTo(waits ? List.of(1, 2) : List.of(2, 1));
    }

    @Test
    void shouldWaitWhenTheOutputIsOrdered() throws Exception
    {
        start(null, List.of(), FALLS.formatted("k"));
        check(true);
    }

    @Test
    void shouldNotWaitWhenPartitionsAreOrdered() throws Exception
    {
        start("PARTITION_ORDERED", List.of(), FALLS.formatted("k"));
        check(false);
    }

    @Test
    void shouldWaitWhenAValueHasSeveralPartitions() throws Exception
    {
        start("PARTITION_ORDERED", List.of(), FALLS.formatted("k, o"));
        send(1, 1, 5);
        send(2, 2, 3);
        send(3, 2, 9);
        assertThat(found).isEmpty();
    }

    @Test
    void shouldWaitWhenAnOperatorBehindThePatternReadsTimes() throws Exception
    {
        start("PARTITION_ORDERED",
            List.of(RuleText.view("V", FALLS.formatted("k"), "a", "k").partitionOrdered("k")),
            "IStream(select a, k from V[range 100])");
        check(true);
    }

    @Test
    void shouldNotWaitWhenOnlyAFilterIsBehindThePattern() throws Exception
    {
        start("PARTITION_ORDERED",
            List.of(RuleText.view("V", FALLS.formatted("k"), "a", "k").partitionOrdered("k")),
            "select a, k from V where a > 0");
        check(false);
    }
}
