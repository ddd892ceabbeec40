package dev.millrace.tuning.burst;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.tuning.engine.BenchQueries;
import dev.millrace.tuning.harness.TickData;
import java.io.IOException;

/**
 * A hand-written burst: expired rows leave a ring of columns, new ones enter it and are published. With a store, the
 * baseline only stores, directly through the driver. Not thread-safe.
 */
public final class BurstBaseline
{
    private static final long WINDOW_NS = BurstEngine.WINDOW_SECONDS * 1_000_000_000L;

    private final BurstStore store;
    private final BurstPump pump;
    private final EventBatch batch;
    private final EventBatch out;
    private final long[] times;
    private final String[] symbols;
    private final double[] prices;
    private final int mask;
    private long oldest;
    private long end;
    private long skippedNs;
    private long latestNs;

    /**
     * @param data  events to play
     * @param most  events of the greatest burst
     * @param store stores directly; {@code null} for the ring
     */
    public BurstBaseline(final TickData data, final int most, final BurstStore store)
    {
        this.store = store;
        final BatchSchema schema = new BatchSchema(BenchQueries.TICK);
        pump = new BurstPump(data, most);
        batch = new EventBatch(schema);
        out = new EventBatch(schema);
        final int capacity = Integer.highestOneBit(most) << 1;
        times = new long[capacity];
        symbols = new String[capacity];
        prices = new double[capacity];
        mask = capacity - 1;
    }

    /**
     * Plays one burst.
     *
     * @param events number of events
     * @return first in to last out in nanoseconds
     */
    public long burst(final int events) throws InterruptedException, IOException
    {
        pump.begin();
        final long startNs = System.nanoTime();
        for (int done = 0; done < events;)
        {
            final int rows = Math.min(EventBatch.CAPACITY, events - done);
            pump.fill(batch, rows);
            if (store == null)
            {
                window();
            }
            else
            {
                store.storeBare(batch);
            }
            done += rows;
        }
        if (store != null)
        {
            store.finishBare();
        }
        final long endNs = System.nanoTime();
        skippedNs += BurstEngine.PAUSE_NS;
        return endNs - startNs;
    }

    private void window()
    {
        final int n = batch.size();
        long timeNs = Math.max(latestNs + 1, System.nanoTime() + skippedNs);
        final long[] outTimes = out.useTimestampPerRow();
        for (int i = 0; i < n; i++, timeNs++)
        {
            while (oldest < end && times[(int)oldest & mask] + WINDOW_NS <= timeNs)
            {
                oldest++;
            }
            final int at = (int)end & mask;
            times[at] = timeNs;
            symbols[at] = batch.texts(0).string(i);
            prices[at] = batch.doubles(1)[i];
            end++;
            out.texts(0).set(i, symbols[at]);
            out.doubles(1)[i] = batch.doubles(1)[i];
            outTimes[i] = timeNs;
        }
        latestNs = timeNs;
        out.size(n);
        pump.onBatch(out);
    }

    /** Checksum of everything published so far. */
    long checksum()
    {
        return pump.checksum();
    }
}
