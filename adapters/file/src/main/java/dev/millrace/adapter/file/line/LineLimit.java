package dev.millrace.adapter.file.line;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Limits lines to a number in each period of one second. Not thread-safe. */
final class LineLimit
{
    private static final long PERIOD_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long REPORT_NS = TimeUnit.SECONDS.toNanos(10);

    private final int linesPerSecond;
    private final LongSupplier nanoTime;
    private long periodNs;
    private int used;
    private long omitted;
    private long reported;
    private long reportNs;

    /**
     * @param linesPerSecond 0 = no limit
     * @param nanoTime       monotonic time, as {@link System#nanoTime}
     */
    LineLimit(final int linesPerSecond, final LongSupplier nanoTime)
    {
        this.linesPerSecond = linesPerSecond;
        this.nanoTime = nanoTime;
        periodNs = nanoTime.getAsLong();
        reportNs = periodNs - REPORT_NS;
    }

    /** Takes as many of some lines as may be written now; counts the others as omitted. */
    int take(final int lines)
    {
        if (linesPerSecond == 0)
        {
            return lines;
        }
        final long nowNs = nanoTime.getAsLong();
        if (nowNs - periodNs >= PERIOD_NS)
        {
            periodNs = nowNs;
            used = 0;
        }
        final int taken = Math.min(lines, linesPerSecond - used);
        used += taken;
        omitted += lines - taken;
        return taken;
    }

    /** Number of omitted lines. */
    long omitted()
    {
        return omitted;
    }

    /**
     * Returns the lines omitted since the last report.
     *
     * @param isLast whether to report also within 10 seconds of the last report
     * @return 0 if there is nothing to report now
     */
    long report(final boolean isLast)
    {
        if (omitted == reported || !isLast && nanoTime.getAsLong() - reportNs < REPORT_NS)
        {
            return 0;
        }
        final long count = omitted - reported;
        reported = omitted;
        reportNs = nanoTime.getAsLong();
        return count;
    }
}
