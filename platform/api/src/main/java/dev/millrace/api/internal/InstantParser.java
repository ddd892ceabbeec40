package dev.millrace.api.internal;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * Parses instants of ISO 8601 from ASCII bytes. Not thread-safe: an object keeps its last result. The usual form,
 * {@code 2026-11-29T10:15:00.123Z} with up to nine digits of a second, is computed without objects; others by
 * {@link Instant#parse}.
 */
public final class InstantParser
{
    private static final String FORM = "0000-00-00T00:00:00";
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int DAY_S = 86_400;
    private static final int MAX_DIGITS = 9;
    /** Days up to the first of March of the year 0, before 1970. */
    private static final int EPOCH_DAYS = 719_468;
    private static final int[] MONTH_DAYS = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    private long epochNs;

    /**
     * The result of {@link #parse} after it returned true.
     *
     * @return nanoseconds since 1970
     */
    public long epochNs()
    {
        return epochNs;
    }

    /**
     * Parses an instant.
     *
     * @param bytes contains the text
     * @param from  its first byte
     * @param to    its end
     * @return false when it is invalid or exceeds 64 bits
     */
    public boolean parse(final byte[] bytes, final int from, final int to)
    {
        if (isUsual(bytes, from, to))
        {
            return true;
        }
        try
        {
            final Instant instant = Instant.parse(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
            epochNs = Math.addExact(Math.multiplyExact(instant.getEpochSecond(), SECOND_NS), instant.getNano());
            return true;
        }
        catch (final DateTimeException | ArithmeticException notAnInstant)
        {
            return false;
        }
    }

    private boolean isUsual(final byte[] bytes, final int from, final int to)
    {
        if (to - from <= FORM.length() || bytes[to - 1] != 'Z')
        {
            return false;
        }
        for (int i = 0; i < FORM.length(); i++)
        {
            final byte each = bytes[from + i];
            if (FORM.charAt(i) == '0' ? each < '0' || each > '9' : each != FORM.charAt(i))
            {
                return false;
            }
        }
        final int year = number(bytes, from, 4);
        final int month = number(bytes, from + 5, 2);
        final int day = number(bytes, from + 8, 2);
        final int hour = number(bytes, from + 11, 2);
        final int minute = number(bytes, from + 14, 2);
        final int second = number(bytes, from + 17, 2);
        // Years from 1678 to 2261 have 64 bits of nanoseconds, and the last day of a February is left to the library.
        if (year < 1678 || year > 2261 || month < 1 || month > 12 || day < 1 || day > MONTH_DAYS[month - 1] ||
            month == 2 && day == 29 || hour > 23 || minute > 59 || second > 59)
        {
            return false;
        }
        final long fractionNs = fraction(bytes, from + FORM.length(), to - 1);
        epochNs = (epochDay(year, month, day) * DAY_S + hour * 3_600 + minute * 60 + second) * SECOND_NS + fractionNs;
        return fractionNs >= 0;
    }

    /** Nanoseconds of the digits after a point; -1 if they are invalid. */
    private static long fraction(final byte[] bytes, final int from, final int end)
    {
        final int digits = end - from - 1;
        if (from == end)
        {
            return 0;
        }
        if (bytes[from] != '.' || digits < 1 || digits > MAX_DIGITS)
        {
            return -1;
        }
        long value = 0;
        for (int i = 1; i <= MAX_DIGITS; i++)
        {
            final int digit = i <= digits ? bytes[from + i] - '0' : 0;
            if (digit < 0 || digit > 9)
            {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    private static int number(final byte[] bytes, final int from, final int digits)
    {
        int value = 0;
        for (int i = from; i < from + digits; i++)
        {
            value = value * 10 + bytes[i] - '0';
        }
        return value;
    }

    /** Days since 1970 of a date of the Gregorian calendar, whose years begin in March for this purpose. */
    private static long epochDay(final int year, final int month, final int day)
    {
        final int marchYear = month > 2 ? year : year - 1;
        final int marchMonth = (month + 9) % 12;
        final int century = marchYear / 100;
        return 365L * marchYear + marchYear / 4 - century + century / 4 + (153 * marchMonth + 2) / 5 + day - 1 -
            EPOCH_DAYS;
    }
}
