package dev.millrace.cql.runtime.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.EventBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class UntilWindowTest
{
    private static final int RUNS = 100;
    private static final int ROWS = 60;

    private static FlowHarness flow()
    {
        return new FlowHarness(FlowSource.TimeKind.APPLICATION, false, 1, false, FlowHarness.TYPE,
            in -> new UntilWindow(in.get(0), 1));
    }

    @Test
    void shouldLetRowsLeaveInOrderOfTheirTimesWhenTheyComeInAnother()
    {
        final FlowHarness flow = flow();
        flow.row(0, 1, EventBatch.INSERT, 1, 9, 0.0, "a");
        flow.row(0, 2, EventBatch.INSERT, 2, 5, 0.0, "b");
        flow.row(0, 3, EventBatch.INSERT, 3, 9, 0.0, "c");
        flow.row(0, 4, EventBatch.INSERT, 4, 4, 0.0, "d");
        flow.row(0, 5, EventBatch.INSERT, 5, null, 0.0, "e");
        flow.heartbeat(0, 10);
        assertThat(flow.lines).containsExactly("1 + [1, 9, 0.0, a]", "2 + [2, 5, 0.0, b]", "3 + [3, 9, 0.0, c]",
            "5 - [2, 5, 0.0, b]", "9 - [1, 9, 0.0, a]", "9 - [3, 9, 0.0, c]");
        assertThat(flow.rejected).containsExactly(Map.entry(UntilWindow.NO_END, 1));
    }

    @Test
    void shouldHoldTheRowsWhoseTimeIsToComeWhenRowsComeAtRandom()
    {
        final long seed = Long.getLong("seed", 20_261_124L);
        System.out.println("seed " + seed);
        for (int run = 0; run < RUNS; run++)
        {
            final Random random = new Random(seed + run);
            final FlowHarness flow = flow();
            final List<String> expected = new ArrayList<>();
            final List<int[]> inside = new ArrayList<>();
            int time = 0;
            for (int i = 0; i < ROWS; i++)
            {
                final int before = time;
                time += random.nextInt(3);
                leave(inside, before, time, expected);
                final int until = time + random.nextInt(30) - 4;
                flow.row(0, time, EventBatch.INSERT, i, until, 0.0, "x");
                if (until > time)
                {
                    inside.add(new int[] {i, until});
                    expected.add(time + " + [" + i + ", " + until + ", 0.0, x]");
                }
            }
            leave(inside, time, time + 40, expected);
            flow.heartbeat(0, time + 40);
            assertThat(flow.lines).as("seed=%d", seed + run).isEqualTo(expected);
        }
    }

    private static void leave(
        final List<int[]> inside, final int after, final int until, final List<String> expected)
    {
        for (int at = after + 1; at <= until; at++)
        {
            for (final int[] row : List.copyOf(inside))
            {
                if (row[1] == at)
                {
                    expected.add(at + " - [" + row[0] + ", " + row[1] + ", 0.0, x]");
                    inside.remove(row);
                }
            }
        }
    }
}
