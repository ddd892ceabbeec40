package dev.millrace.tuning.harness;

import dev.millrace.api.event.EventBatch;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * An open loop: events are due at a fixed pace whether or not earlier ones are processed, and the latency of each
 * counts from when it was due. The loop sends due events, at most a batch, and never waits for more.
 *
 * <p>When two consecutive readings of the clock are more than {@value #GAP_NS} ns apart, this is a gap: the thread was
 * not running, or the target took that long. Time may continue in gaps, as it does for a user, or stop, so that events
 * are due only while the thread runs. Not thread-safe.
 */
public final class OpenLoop
{
    static final long GAP_NS = 20_000;

    private final long periodNs;
    private final LongSupplier clock;
    private final Histogram latencyNs = new Histogram(60_000_000_000L, 3);
    private long gaps;
    private long gapsInside;
    private long gapNs;
    private long insideNs;
    private long wholeNs;
    private long events;
    private long batches;

    /** The measured target: fills a batch with the next events, and sends it. */
    public interface Target
    {
        /**
         * Fills a batch, sends it, and returns when all its results are emitted.
         *
         * @param rows number of events due
         */
        void take(int rows);
    }

    /**
     * @param periodNs time between two events
     */
    public OpenLoop(final long periodNs)
    {
        this(periodNs, System::nanoTime);
    }

    /**
     * A loop with another clock.
     *
     * @param periodNs time between two events
     * @param clock    nanoseconds
     */
    public OpenLoop(final long periodNs, final LongSupplier clock)
    {
        this.periodNs = periodNs;
        this.clock = clock;
    }

    /**
     * Plays events at the pace.
     *
     * @param target       receives them
     * @param count        number of events
     * @param isGapRemoved whether time stops in gaps
     */
    public void run(final Target target, final long count, final boolean isGapRemoved)
    {
        final long beginNs = clock.getAsLong();
        long startNs = beginNs;
        long lastNs = startNs;
        long done = 0;
        while (done < count)
        {
            final long nowNs = clock.getAsLong();
            if (nowNs - lastNs > GAP_NS)
            {
                startNs += noteGap(nowNs - lastNs, false, isGapRemoved);
            }
            lastNs = nowNs;
            final long due = Math.min((nowNs - startNs) / periodNs + 1 - done, count - done);
            if (due <= 0)
            {
                Thread.onSpinWait();
                continue;
            }
            final int rows = (int)Math.min(due, EventBatch.CAPACITY);
            target.take(rows);
            lastNs = clock.getAsLong();
            if (lastNs - nowNs > GAP_NS)
            {
                startNs += noteGap(lastNs - nowNs, true, isGapRemoved);
            }
            else
            {
                insideNs += lastNs - nowNs;
            }
            record(lastNs - startNs, done, rows);
            done += rows;
        }
        events += count;
        wholeNs += clock.getAsLong() - beginNs;
    }

    private void record(final long sinceStartNs, final long first, final int rows)
    {
        batches++;
        for (int i = 0; i < rows; i++)
        {
            latencyNs.recordValue(Math.max(0, sinceStartNs - (first + i) * periodNs));
        }
    }

    private long noteGap(final long lengthNs, final boolean isInside, final boolean isRemoved)
    {
        gaps++;
        gapsInside += isInside ? 1 : 0;
        gapNs += lengthNs;
        return isRemoved ? lengthNs : 0;
    }

    /** From due until done, for every event. */
    public Histogram latencyNs()
    {
        return latencyNs;
    }

    /** Discards all measurements. */
    public void reset()
    {
        latencyNs.reset();
        gaps = 0;
        gapsInside = 0;
        gapNs = 0;
        insideNs = 0;
        wholeNs = 0;
        events = 0;
        batches = 0;
    }

    /** Mean time per event inside the target, without gaps. */
    public double insideNsPerEvent()
    {
        return (double)insideNs / events;
    }

    /** Mean rows per batch. */
    public double rowsPerBatch()
    {
        return (double)events / batches;
    }

    /** Gaps per second of time outside of gaps. */
    public double gapsPerSec()
    {
        return gaps * 1e9 / (wholeNs - gapNs);
    }

    /** Gaps inside the target per second of time inside it outside of gaps: compare with {@link #gapsPerSec}. */
    public double gapsInsidePerSec()
    {
        return gapsInside * 1e9 / insideNs;
    }

    /** Fraction of the time that was gaps. */
    public double gapShare()
    {
        return (double)gapNs / wholeNs;
    }
}
