package dev.millrace.cql.runtime.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The ends of time, and values that have no neighbours: nothing waits for ever, nothing is closed too early. */
@Timeout(60)
class FlowTimeTest
{
    private static FlowHarness stream(final int sources)
    {
        return new FlowHarness(FlowSource.TimeKind.APPLICATION, false, sources, true, FlowHarness.TYPE,
            in -> sources == 1 ? in.get(0) : new UnionAllOperator(in.get(0), in.get(1), FlowHarness.store()));
    }

    private static void row(final FlowHarness flow, final int source, final long timeNs, final int k)
    {
        flow.row(source, timeNs, EventBatch.INSERT, k, k, 0.0, "s");
    }

    @Test
    void shouldWaitForTheEndOfAnInstantAfterARowOfTheBeginningOfTime()
    {
        final FlowHarness flow = stream(1);
        row(flow, 0, Long.MIN_VALUE, 1);
        row(flow, 0, 5, 2);
        assertThat(flow.lines).containsExactly(Long.MIN_VALUE + " + [1, 1, 0.0, s]");
        row(flow, 0, 6, 3);
        assertThat(flow.lines).hasSize(2);
        assertThat(flow.rejected).isEmpty();
    }

    @Test
    void shouldTurnARowAwayWhenItsTimeIsTheEndOfAllTime()
    {
        final FlowHarness flow = stream(1);
        row(flow, 0, 5, 1);
        row(flow, 0, Long.MAX_VALUE, 2);
        row(flow, 0, 6, 3);
        flow.heartbeat(0, 7);
        assertThat(flow.lines).containsExactly("5 + [1, 1, 0.0, s]", "6 + [3, 3, 0.0, s]");
        assertThat(flow.rejected).isEqualTo(Map.of(FlowEngine.NO_TIME, 1));
    }

    @Test
    void shouldPutAllRowsOutWhenAllSourcesSayThatNothingComesAnyMore()
    {
        final FlowHarness flow = stream(2);
        row(flow, 0, 5, 1);
        row(flow, 1, 6, 2);
        flow.heartbeat(0, Long.MAX_VALUE);
        flow.heartbeat(1, Long.MAX_VALUE);
        assertThat(flow.lines).containsExactly("5 + [1, 1, 0.0, s]", "6 + [2, 2, 0.0, s]");
    }

    @Test
    void shouldGoOnAfterANumberThatIsNoneWhenTheWindowRangesOverValues()
    {
        final FlowHarness flow = new FlowHarness(FlowSource.TimeKind.TOTAL_ORDER, false, 1, false, FlowHarness.TYPE,
            in -> new ValueWindow(in.get(0), 2, 10));
        flow.row(0, 1, EventBatch.INSERT, 1, 1, 1.0, "a");
        flow.row(0, 2, EventBatch.INSERT, 2, 2, Double.NaN, "a");
        flow.row(0, 3, EventBatch.INSERT, 3, 3, 12.0, "a");
        assertThat(flow.lines).containsExactly("1 + [1, 1, 1.0, a]", "3 - [1, 1, 1.0, a]", "3 + [3, 3, 12.0, a]");
        assertThat(flow.rejected).isEqualTo(Map.of(ValueWindow.OUT_OF_ORDER, 1));
    }

    @Test
    void shouldTellNeighboursApartWhenWholeNumbersAreTooLargeForADouble()
    {
        final long range = (1L << 53) + 4;
        final RowStore rows = FlowHarness.store(CqlType.BIGINT);
        final SourceOperator source = new SourceOperator(
            new FlowSource("S", FlowSource.TimeKind.TOTAL_ORDER, false), rows, false, new int[0], -1, 10);
        final ValueWindow window = new ValueWindow(source, 0, range);
        for (final long value : new long[]{0, range - 1, range})
        {
            final int row = rows.allocate();
            rows.setLong(row, 0, value);
            source.delta().give(row, true);
        }
        window.process(1);
        assertThat(window.stateSize()).isEqualTo(2);
        assertThat(window.delta().size()).isEqualTo(4);
        assertThat(window.delta().isPlus(1)).as("the second row pushes nothing out").isTrue();
    }

    @Test
    void shouldKeepABoundedNumberOfChangesWhenThePeriodIsLong()
    {
        final long periodNs = 1_000_000;
        final FlowHarness flow = new FlowHarness(FlowSource.TimeKind.TOTAL_ORDER, true, 1, false, FlowHarness.TYPE,
            in -> new EvaluateOperator(in.get(0), periodNs));
        for (int i = 1; i <= 50_000; i++)
        {
            row(flow, 0, 2L * i, i);
            flow.row(0, 2L * i + 1, EventBatch.DELETE, i, i, 0.0, "s");
        }
        row(flow, 0, periodNs - 1, 7);
        assertThat(flow.statistics().get("state").toString()).matches("\\{.*EvaluateOperator\\d+=\\d{1,4}\\}");
        flow.heartbeat(0, periodNs);
        assertThat(flow.lines).containsExactly(periodNs + " + [7, 7, 0.0, s]");
    }
}
