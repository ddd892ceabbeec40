package dev.millrace.cql.runtime.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys that the language keeps without end leave when no row has come for their idle state time. */
@Timeout(20)
class IdleStateTest
{
    private static final long IDLE_NS = 100;
    private static final EventType COUNTS = EventType.tuple("Counts", new EventProperty("k", CqlType.INT),
        new EventProperty("n", CqlType.BIGINT));

    private static void row(final FlowHarness flow, final long timeNs, final int key, final int value)
    {
        flow.row(0, timeNs, EventBatch.INSERT, key, value, 0.0, "s");
    }

    private static FlowHarness groups(final boolean relation, final long idleNs)
    {
        return new FlowHarness(FlowSource.TimeKind.TOTAL_ORDER, relation, 1, false, COUNTS, in ->
            new GroupOperator(in.get(0), new int[] {0}, new Accumulator[] {new CountAccumulator(-1)},
                FlowHarness.store(CqlType.INT, CqlType.BIGINT), 100, idleNs));
    }

    @Test
    void shouldLetAGroupLeaveThatHasHadNoRowAndBeginAnewLater()
    {
        final FlowHarness flow = groups(false, IDLE_NS);
        row(flow, 0, 1, 0);
        row(flow, 50, 2, 0);
        row(flow, 60, 1, 0);
        row(flow, 149, 3, 0);
        // Group 2 had its last row at 50, group 1 at 60.
        row(flow, 150, 3, 0);
        row(flow, 160, 3, 0);
        row(flow, 170, 1, 0);
        assertThat(flow.lines).containsExactly("0 + [1, 1]", "50 + [2, 1]", "60 - [1, 1]", "60 + [1, 2]",
            "149 + [3, 1]", "150 - [3, 1]", "150 - [2, 1]", "150 + [3, 2]", "160 - [3, 2]", "160 - [1, 2]",
            "160 + [3, 3]", "170 + [1, 1]");
    }

    @Test
    void shouldKeepGroupsWithoutAnIdleTimeAndThoseOfARelation()
    {
        for (final FlowHarness flow : List.of(groups(false, 0), groups(true, IDLE_NS)))
        {
            row(flow, 0, 1, 0);
            row(flow, 1000, 2, 0);
            row(flow, 2000, 2, 0);
            assertThat(flow.lines).containsExactly("0 + [1, 1]", "1000 + [2, 1]", "2000 - [2, 1]", "2000 + [2, 2]");
        }
    }

    @Test
    void shouldLetTheRowsOfAnIdlePartitionLeaveTheWindow()
    {
        final FlowHarness flow = new FlowHarness(FlowSource.TimeKind.TOTAL_ORDER, false, 1, false,
            FlowHarness.TYPE, in -> new PartitionWindow(in.get(0), new int[] {0}, 2, 0, 0, IDLE_NS));
        row(flow, 0, 1, 10);
        row(flow, 10, 1, 11);
        row(flow, 20, 1, 12);
        row(flow, 100, 2, 20);
        row(flow, 120, 2, 21);
        row(flow, 130, 1, 13);
        assertThat(flow.lines).containsExactly("0 + [1, 10, 0.0, s]", "10 + [1, 11, 0.0, s]", "20 - [1, 10, 0.0, s]",
            "20 + [1, 12, 0.0, s]", "100 + [2, 20, 0.0, s]", "120 - [1, 11, 0.0, s]", "120 - [1, 12, 0.0, s]",
            "120 + [2, 21, 0.0, s]", "130 + [1, 13, 0.0, s]");
    }
}
