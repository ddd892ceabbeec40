package dev.millrace.tuning.statements;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.tuning.harness.BenchResult;
import java.util.Arrays;

/**
 * Engine latency as Esper's benchmark kit measures it: the time to pass one event to the engine, including all output,
 * while events arrive at {@value #RATE} per second whether the engine is ready or not. A thread that is descheduled
 * counts like a slow engine. Uses the kit's latency ranges, but a correct mean.
 */
final class VwapLatency
{
    private static final int RATE = 500_000;
    private static final long GAP_NS = 1_000_000_000L / RATE;
    private static final int SECONDS = 4;
    private static final long[] CELLS_NS = {5_000, 10_000, 15_000, 20_000, 25_000, 50_000, 100_000, 500_000,
        1_000_000, 2_500_000, 5_000_000, Long.MAX_VALUE};

    private final VwapData data;
    private final EventBatchSink engine;
    private final int events;
    private final EventBatch batch;
    private final long[] cells = new long[CELLS_NS.length];
    private long sumNs;
    private long lateEvents;

    VwapLatency(final VwapData data, final EventBatchSink engine, final boolean brief)
    {
        this.data = data;
        this.engine = engine;
        events = RATE * (brief ? 1 : SECONDS);
        batch = new EventBatch(data.schema);
    }

    /** Sends the events, after a warm-up of the same number. */
    VwapLatency run(final long fromNs)
    {
        final long timeNs = pass(fromNs);
        Arrays.fill(cells, 0);
        sumNs = 0;
        lateEvents = 0;
        pass(timeNs);
        return this;
    }

    private long pass(final long fromNs)
    {
        long timeNs = fromNs;
        long dueNs = System.nanoTime();
        for (int i = 0; i < events; i++)
        {
            timeNs = data.fill(batch, i & VwapData.EVENTS - 1, 1, timeNs);
            dueNs += GAP_NS;
            long startNs = System.nanoTime();
            lateEvents += startNs > dueNs ? 1 : 0;
            while (startNs < dueNs)
            {
                Thread.onSpinWait();
                startNs = System.nanoTime();
            }
            give();
            count(System.nanoTime() - startNs);
        }
        return timeNs;
    }

    private void give()
    {
        try
        {
            engine.onBatch(batch);
        }
        catch (final EventRejectedException e)
        {
            throw new IllegalStateException("an event of the benchmark is refused", e);
        }
    }

    private void count(final long ns)
    {
        sumNs += ns;
        int cell = 0;
        while (ns >= CELLS_NS[cell])
        {
            cell++;
        }
        cells[cell]++;
    }

    /** The figures: mean, fractions under 5 and 10 microseconds, the latency ranges, and the number of late events. */
    void describe(final BenchResult result, final String name)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < cells.length; i++)
        {
            text.append(i == 0 ? "" : " ").append(cells[i]);
        }
        result.with(name + "AvgUs", sumNs / 1e3 / events)
            .with(name + "Under5UsPercent", 100.0 * cells[0] / events)
            .with(name + "Under10UsPercent", 100.0 * (cells[0] + cells[1]) / events)
            .with(name + "Cells", text.toString())
            .with(name + "LatePercent", 100.0 * lateEvents / events);
    }
}
