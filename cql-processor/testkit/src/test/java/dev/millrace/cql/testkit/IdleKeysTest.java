package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.compiler.flow.CompiledFlow;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.compiler.unit.DiscardSupport;
import dev.millrace.cql.functions.Aggregates;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys of unbounded state leave when no row has arrived for their idle state time. */
@Timeout(60)
class IdleKeysTest
{
    private static final EventType TYPE = EventType.tuple("S", new EventProperty("k", CqlType.INT),
        new EventProperty("v", CqlType.INT), new EventProperty("c", CqlType.CHAR));
    private static final long IDLE_NS = 100;
    /** After this number of batches, a new engine restores the state of the last one. */
    private static final int BATCHES_AN_ENGINE = 2;

    private final List<String> lines = new ArrayList<>();
    private CompiledFlow compiled;
    private FlowBindings bindings;
    private FlowEngine engine;
    private int batches;

    private void start(final String text, final long idleNs) throws Exception
    {
        final FlowPlan plan = new RulePlanner().flowsOnly().plan("p", List.of(RuleText.query("q", text)),
            Catalog.builder().add(new Catalog.ChannelSource("S", TYPE, false,
                FlowNode.TimeKind.APPLICATION_TOTAL_ORDER, false, List.of())).build()).flows().get(0);
        compiled = new FlowCompiler().compile(plan, new DiscardSupport(Map.of(), idleNs > 0));
        assertThat(compiled.units()).hasSize(1);
        final BatchSchema schema = new BatchSchema(plan.outputs().get(0).type());
        bindings = new FlowBindings(Map.of("q", schema), Map.of("q", this::take), Map.of(), Aggregates.factories(),
            Map.of(), (rows, reason, detail) -> lines.add(reason), 100, MemoryAccount.NONE, idleNs);
        engine = compiled.instantiate(bindings);
    }

    private void take(final EventBatch batch)
    {
        for (int row = 0; row < batch.size(); row++)
        {
            final List<Object> values = new ArrayList<>();
            for (int column = 0; column < batch.schema().type().properties().size(); column++)
            {
                values.add(batch.value(column, row));
            }
            lines.add(batch.timestampNs(row) + (batch.kind(row) == EventBatch.DELETE ? " - " : " + ") + values);
        }
    }

    private void row(final long timeNs, final int key, final int value)
    {
        rows(timeNs, key, value, timeNs, key);
    }

    /** A batch of one row, and of a second one when the times differ. */
    private void rows(
        final long timeNs, final int key, final int value, final long secondNs, final int secondKey)
    {
        final EventBatch batch = new EventBatch(new BatchSchema(TYPE));
        batch.size(secondNs == timeNs ? 1 : 2);
        for (int row = 0; row < batch.size(); row++)
        {
            batch.useTimestampPerRow()[row] = row == 0 ? timeNs : secondNs;
            batch.ints(0)[row] = row == 0 ? key : secondKey;
            batch.ints(1)[row] = value + row;
            batch.texts(2).set(row, "c" + (value + row));
        }
        engine.onBatch(0, batch);
        if (++batches % BATCHES_AN_ENGINE == 0)
        {
            // Data about idle keys is part of the state.
            final StateOutput to = new StateOutput(1 << 20);
            engine.write(to);
            engine = compiled.instantiate(bindings, new StateInput(to.toBytes()));
        }
    }

    private long forgotten()
    {
        return ((Number)engine.statistics().get("idleKeysForgotten")).longValue();
    }

    @Test
    void shouldLetAGroupLeaveThatHasHadNoRowAndBeginAnewLater() throws Exception
    {
        start("select k, count(*) as n from S group by k", IDLE_NS);
        row(0, 1, 0);
        row(50, 2, 0);
        row(60, 1, 0);
        row(149, 3, 0);
        // Group 2 had its last row at 50, group 1 at 60.
        row(150, 3, 0);
        row(160, 3, 0);
        row(170, 1, 0);
        assertThat(lines).containsExactly("0 + [1, 1]", "50 + [2, 1]", "60 - [1, 1]", "60 + [1, 2]",
            "149 + [3, 1]", "150 - [3, 1]", "150 - [2, 1]", "150 + [3, 2]", "160 - [3, 2]", "160 - [1, 2]",
            "160 + [3, 3]", "170 + [1, 1]");
        assertThat(forgotten()).isEqualTo(2);
    }

    @Test
    void shouldBeginAllAggregatesOfAGroupAnewAlsoWithinABatch() throws Exception
    {
        start("select k, sum(v) as s, max(v) as m, count(distinct v) as d, count(distinct c) as e, max(c) as f, " +
            "first(c) as g from S group by k", IDLE_NS);
        rows(0, 1, 5, 10, 1);
        // At 111 group 1 has been idle: it leaves, and returns in the same batch.
        rows(111, 2, 4, 112, 1);
        row(113, 1, 6);
        assertThat(lines).containsExactly("0 + [1, 5, 5, 1, 1, c5, c5]", "10 - [1, 5, 5, 1, 1, c5, c5]",
            "10 + [1, 11, 6, 2, 2, c6, c5]", "111 - [1, 11, 6, 2, 2, c6, c5]", "111 + [2, 4, 4, 1, 1, c4, c4]",
            "112 + [1, 5, 5, 1, 1, c5, c5]", "113 - [1, 5, 5, 1, 1, c5, c5]", "113 + [1, 11, 6, 2, 2, c6, c5]");
    }

    @Test
    void shouldKeepGroupsWithoutAnIdleTimeAndThoseOfAWindow() throws Exception
    {
        for (final Map.Entry<String, Long> each : Map.of("S", 0L, "S [range 5 seconds]", IDLE_NS).entrySet())
        {
            lines.clear();
            start("select k, count(*) as n from " + each.getKey() + " group by k", each.getValue());
            row(0, 1, 0);
            row(1000, 2, 0);
            row(2000, 2, 0);
            assertThat(lines).containsExactly("0 + [1, 1]", "1000 + [2, 1]", "2000 - [2, 1]", "2000 + [2, 2]");
            assertThat(forgotten()).isZero();
        }
    }

    @Test
    void shouldLetTheRowsOfAnIdlePartitionLeaveTheWindow() throws Exception
    {
        start("select k, v from S [partition by k rows 2]", IDLE_NS);
        row(0, 1, 10);
        row(10, 1, 11);
        row(20, 1, 12);
        row(100, 2, 20);
        row(120, 2, 21);
        row(130, 1, 13);
        assertThat(lines).containsExactly("0 + [1, 10]", "10 + [1, 11]", "20 - [1, 10]", "20 + [1, 12]",
            "100 + [2, 20]", "120 - [1, 11]", "120 - [1, 12]", "120 + [2, 21]", "130 + [1, 13]");
        assertThat(forgotten()).isEqualTo(1);
    }

    @Test
    void shouldKeepStateBoundedWhereKeysNeverComeBack() throws Exception
    {
        start("select k, count(distinct c) as n from S group by k", IDLE_NS);
        // More than a hundred keys at once would be rejected.
        for (int i = 0; i < 5_000; i++)
        {
            row(2L * i, i, i);
        }
        assertThat(lines).allMatch(line -> line.contains(", 1]"));
        assertThat(((Map<?, ?>)engine.statistics().get("state")).values().stream()
            .mapToLong(each -> ((Number)each).longValue()).max().orElse(0)).isBetween(40L, 100L);
    }
}
