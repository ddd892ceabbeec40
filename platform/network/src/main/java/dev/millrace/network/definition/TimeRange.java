package dev.millrace.network.definition;

import java.time.Instant;

/**
 * A period of wall-clock time.
 *
 * @param startNs its start, nanoseconds since the epoch
 * @param endNs   its end, which is not part of it
 */
public record TimeRange(long startNs, long endNs)
{
    /** All times. */
    public static final TimeRange ALL = new TimeRange(Long.MIN_VALUE, Long.MAX_VALUE);

    private static final long SECOND_NS = 1_000_000_000;

    /** Checks the arguments. */
    public TimeRange
    {
        if (startNs >= endNs)
        {
            throw new IllegalArgumentException("the end must be later than the start, start=" + text(startNs) +
                " end=" + text(endNs));
        }
    }

    /** Whether a time is part of the range. */
    public boolean contains(final long timeNs)
    {
        return timeNs >= startNs && timeNs < endNs;
    }

    /** A time in UTC. */
    public static String text(final long timeNs)
    {
        return timeNs == Long.MIN_VALUE ? "the beginning" : timeNs == Long.MAX_VALUE ? "the end" :
            Instant.ofEpochSecond(Math.floorDiv(timeNs, SECOND_NS), Math.floorMod(timeNs, SECOND_NS)).toString();
    }

    @Override
    public String toString()
    {
        return text(startNs) + " to " + text(endNs);
    }
}
