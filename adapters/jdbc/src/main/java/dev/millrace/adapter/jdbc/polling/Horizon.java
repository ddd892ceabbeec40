package dev.millrace.adapter.jdbc.polling;

import java.util.concurrent.TimeUnit;

/**
 * The greatest position that may be read: the greatest one that was visible some time ago. Transactions that were
 * already running when it became visible have committed since, if they take less than this time. Not thread-safe.
 */
public final class Horizon
{
    /** No position may be read yet. */
    public static final long NONE = Long.MIN_VALUE;
    /** Every position may be read. */
    public static final long ALL = Long.MAX_VALUE;

    private static final int OBSERVATIONS = 32;

    private final long lagNs;
    private final long[] timesNs = new long[OBSERVATIONS];
    private final long[] positions = new long[OBSERVATIONS];
    private int first;
    private int count;
    private long limit = NONE;
    private long last = NONE;
    private boolean isObserved;
    private long firstObserved = NONE;

    public Horizon(final long lagMillis)
    {
        lagNs = TimeUnit.MILLISECONDS.toNanos(lagMillis);
    }

    /** Whether positions are to be observed: there is a lag. */
    public boolean isUsed()
    {
        return lagNs > 0;
    }

    /**
     * Records the greatest visible position. Of several within a small part of the lag, the last ones are ignored.
     *
     * @param position {@link #NONE} if there are no rows
     */
    public void observe(final long nowNs, final long position)
    {
        if (!isObserved)
        {
            isObserved = true;
            firstObserved = position;
        }
        final int newest = (first + count - 1) % OBSERVATIONS;
        if (position <= last || count > 0 && nowNs - timesNs[newest] < lagNs / (OBSERVATIONS - 1) ||
            count == OBSERVATIONS)
        {
            return;
        }
        final int next = (first + count++) % OBSERVATIONS;
        timesNs[next] = nowNs;
        positions[next] = position;
        last = position;
    }

    /** The greatest position that may be read now. */
    public long limit(final long nowNs)
    {
        if (!isUsed())
        {
            return ALL;
        }
        while (count > 0 && nowNs - timesNs[first] >= lagNs)
        {
            limit = positions[first];
            first = (first + 1) % OBSERVATIONS;
            count--;
        }
        return limit;
    }

    /** The time until the limit rises. */
    public long untilNextNs(final long nowNs)
    {
        return count == 0 ? Long.MAX_VALUE : Math.max(0, timesNs[first] + lagNs - nowNs);
    }

    /** Whether a limit includes all positions that were visible at the first observation. */
    public boolean includesFirst(final long position)
    {
        return !isUsed() || isObserved && position >= firstObserved;
    }
}
