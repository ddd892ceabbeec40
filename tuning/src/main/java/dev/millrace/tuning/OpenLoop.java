package dev.millrace.tuning;

import dev.millrace.api.event.EventBatch;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * An open loop: events are due at a fixed pace whether or not the earlier ones are through, and each one's latency
 * counts from when it was due. The loop takes what is due, at most a batch of it, and never waits for more.
 *
 * <p>Whenever two readings of the clock that follow each other are more than {@value #GAP_NS} ns apart, that is a
 * gap: the thread was not running, or what it called took that long. Time may run on in gaps, as it does for a user,
 * or stand still in them, so that events are due when the thread runs. For one thread.
 */
final class OpenLoop
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

    /** What is measured: fills a batch with the next events, and takes it. */
    interface Target
    {
        /**
         * Fills a batch, hands it over, and returns when everything that follows from it is out.
         *
         * @param rows how many events are due
         */
        void take(int rows);
    }

    /**
     * A loop that has measured nothing yet.
     *
     * @param periodNs time between two events
     */
    OpenLoop(final long periodNs)
    {
        this(periodNs, System::nanoTime);
    }

    /**
     * A loop with a clock of its own.
     *
     * @param periodNs time between two events
     * @param clock    nanoseconds
     */
    OpenLoop(final long periodNs, final LongSupplier clock)
    {
        this.periodNs = periodNs;
        this.clock = clock;
    }

    /**
     * Plays events at the pace.
     *
     * @param target       takes them
     * @param count        how many
     * @param isGapRemoved whether time stands still in gaps
     */
    void run(final Target target, final long count, final boolean isGapRemoved)
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

    /** From due until done, of every event. */
    Histogram latencyNs()
    {
        return latencyNs;
    }

    /** Forgets what was measured. */
    void reset()
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

    /** Mean time inside the target an event, without gaps. */
    double insideNsPerEvent()
    {
        return (double)insideNs / events;
    }

    /** Mean rows a batch. */
    double rowsPerBatch()
    {
        return (double)events / batches;
    }

    /** Gaps a second of time that is no gap. */
    double gapsPerSec()
    {
        return gaps * 1e9 / (wholeNs - gapNs);
    }

    /** Gaps inside the target a second of time inside it that is no gap: compare with {@link #gapsPerSec}. */
    double gapsInsidePerSec()
    {
        return gapsInside * 1e9 / insideNs;
    }

    /** Part of the time that was gaps. */
    double gapShare()
    {
        return (double)gapNs / wholeNs;
    }
}
