package dev.millrace.cql.functions;

import dev.millrace.cql.runtime.function.FunctionErrors;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A time pattern, compiled once. It caches the last formatted string: a pattern without seconds gives the same string
 * for all times of a minute, one without hours for all times of a day, and successive event times are close together.
 *
 * <p>Thread-safe. The table of patterns has a fixed number of slots; a new pattern may replace another one.
 */
final class TimePattern
{
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int SLOTS = 64;
    private static final AtomicReferenceArray<TimePattern> COMPILED = new AtomicReferenceArray<>(SLOTS);
    /**
     * Letters whose fields are constant during a day, an hour, a minute, a second; those of zones are always constant.
     */
    private static final String DAY = "GuyDMLdQqYwWEecFVzOXxZ";
    private static final String HOUR = "ahHkK";

    private final String pattern;
    private final DateTimeFormatter formatter;
    /** Times in the same unit have the same string; 0 if each time may have a different one. */
    private final long unitNs;
    private Made last;

    /** A string and the unit of its times. Immutable, so that threads may exchange it without synchronization. */
    private record Made(long unit, String text)
    {
    }

    private TimePattern(final String pattern)
    {
        this.pattern = pattern;
        final StringBuilder letters = new StringBuilder();
        formatter = new DateTimeFormatterBuilder().parseCaseInsensitive().appendPattern(translated(pattern, letters))
            .parseDefaulting(ChronoField.MINUTE_OF_HOUR, 0).toFormatter(Locale.ENGLISH);
        unitNs = letters.chars().mapToLong(TimePattern::unitNs).min().orElse(TimeUnit.DAYS.toNanos(1));
    }

    /**
     * The equivalent pattern of {@code java.time}, where the year without era is u; collects its letters outside
     * quotes.
     */
    private static String translated(final String pattern, final StringBuilder letters)
    {
        final StringBuilder translated = new StringBuilder();
        boolean isQuoted = false;
        for (int i = 0; i < pattern.length(); i++)
        {
            final char c = pattern.charAt(i);
            isQuoted ^= c == '\'';
            translated.append(c == 'y' && !isQuoted ? 'u' : c);
            if (!isQuoted && Character.isLetter(c))
            {
                letters.append(c);
            }
        }
        return translated.toString();
    }

    private static long unitNs(final int letter)
    {
        return DAY.indexOf(letter) >= 0 ? TimeUnit.DAYS.toNanos(1) :
            HOUR.indexOf(letter) >= 0 ? TimeUnit.HOURS.toNanos(1) :
            letter == 'm' ? TimeUnit.MINUTES.toNanos(1) : letter == 's' ? SECOND_NS : 0;
    }

    /**
     * Compiles a pattern, or returns it from the table.
     *
     * @param function function name for failures
     * @param pattern  in the letters of java.text.SimpleDateFormat
     */
    static TimePattern of(final String function, final String pattern)
    {
        final int position = pattern.hashCode() & SLOTS - 1;
        final TimePattern known = COMPILED.get(position);
        if (known != null && known.pattern.equals(pattern))
        {
            return known;
        }
        try
        {
            final TimePattern made = new TimePattern(pattern);
            COMPILED.set(position, made);
            return made;
        }
        catch (final IllegalArgumentException failure)
        {
            throw FunctionErrors.conversion(function, pattern);
        }
    }

    /** Formats a time in UTC; null for an empty string. */
    String format(final long timeNs)
    {
        final long unit = unitNs == 0 ? 0 : Math.floorDiv(timeNs, unitNs);
        final Made made = last;
        if (unitNs != 0 && made != null && made.unit == unit)
        {
            return made.text;
        }
        try
        {
            final String text = FunctionErrors.text("to_char", formatter.format(
                Instant.ofEpochSecond(Math.floorDiv(timeNs, SECOND_NS), Math.floorMod(timeNs, SECOND_NS))
                    .atZone(ZoneOffset.UTC)));
            last = new Made(unit, text);
            return text;
        }
        catch (final DateTimeException failure)
        {
            throw FunctionErrors.conversion("to_char", pattern);
        }
    }

    /**
     * Parses a string.
     *
     * @throws DateTimeException if it does not match the pattern
     */
    TemporalAccessor parse(final String text)
    {
        return formatter.parse(text);
    }
}
