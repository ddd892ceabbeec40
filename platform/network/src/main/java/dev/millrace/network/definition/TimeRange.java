package dev.millrace.network.definition;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.regex.Pattern;

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

    /** The form of times, for messages. */
    public static final String FORM =
        "a time such as 2026-11-29T10:15:00, which is in UTC unless a zone such as Z or +01:00 follows";

    private static final long SECOND_NS = 1_000_000_000;
    /** Leaves room for durations of the same length. */
    private static final long MAX_SECONDS = Long.MAX_VALUE / SECOND_NS / 2;
    private static final Pattern ZONE = Pattern.compile("T.*(Z|[+-]\\d\\d:\\d\\d)$");

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

    /**
     * Reads a time.
     *
     * @param text {@code 2026-11-29T10:15:00}, in UTC unless a zone such as {@code Z} or {@code +01:00} follows
     * @return nanoseconds since the epoch, or {@code null} if the text is no time of the years 1833 to 2106
     */
    public static Long parse(final String text)
    {
        try
        {
            final Instant time = ZONE.matcher(text).find() ? OffsetDateTime.parse(text).toInstant() :
                LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
            return Math.abs(time.getEpochSecond()) >= MAX_SECONDS ? null :
                (Long)(time.getEpochSecond() * SECOND_NS + time.getNano());
        }
        catch (final DateTimeException none)
        {
            return null;
        }
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
