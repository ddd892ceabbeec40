package dev.millrace.test;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/** Conversions of times in nanoseconds. Stateless. */
final class Times
{
    private static final int NS_DIGITS = 9;
    private static final int SHOWN_DIGITS = 6;
    private static final long NS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    /** Later times are instants; earlier ones are durations since the start at 0. */
    private static final long LATEST_DURATION_NS = TimeUnit.DAYS.toNanos(1_000);

    /** The time of aggregates of no rows, before the first row. */
    private static final String BEFORE_ALL = "before all";

    private Times()
    {
    }

    static long epochNs(final Instant instant)
    {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), NS_PER_SECOND), instant.getNano());
    }

    /**
     * Formats a time: {@code 1.5 s} since the epoch, to the microsecond, or an instant. Rows that arrive at the
     * same time differ by nanoseconds.
     */
    static String format(final long epochNs)
    {
        if (epochNs == Long.MIN_VALUE)
        {
            return BEFORE_ALL;
        }
        return Math.abs(epochNs) <= LATEST_DURATION_NS ?
            BigDecimal.valueOf(epochNs, NS_DIGITS).setScale(SHOWN_DIGITS, RoundingMode.FLOOR).stripTrailingZeros()
                .toPlainString() + " s" :
            Instant.ofEpochSecond(Math.floorDiv(epochNs, NS_PER_SECOND), Math.floorMod(epochNs, NS_PER_SECOND))
                .truncatedTo(ChronoUnit.MICROS).toString();
    }

    /** Whether two times are in the same millisecond. */
    static boolean isSameMillisecond(final long oneNs, final long otherNs)
    {
        final long nsPerMs = TimeUnit.MILLISECONDS.toNanos(1);
        return Math.floorDiv(oneNs, nsPerMs) == Math.floorDiv(otherNs, nsPerMs);
    }
}
