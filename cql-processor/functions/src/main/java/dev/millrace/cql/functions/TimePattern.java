package dev.millrace.cql.functions;

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
 * A pattern of times, compiled once. It keeps the text that it made last: a pattern without seconds gives the same text
 * for all times of a minute, one without hours for all times of a day, and times of events are close together.
 *
 * <p>Threads: any. The table of patterns has a fixed number of places; a pattern takes the place of another one.
 */
final class TimePattern
{
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int PLACES = 64;
    private static final AtomicReferenceArray<TimePattern> COMPILED = new AtomicReferenceArray<>(PLACES);
    /** Letters whose fields are the same over a day, an hour, a minute, a second; those of zones are so always. */
    private static final String DAY = "GuyDMLdQqYwWEecFVzOXxZ";
    private static final String HOUR = "ahHkK";

    private final String pattern;
    private final DateTimeFormatter formatter;
    /** Times of the same unit have the same text; 0 when each may have its own. */
    private final long unitNs;
    private Made last;

    /** A text and the unit of its times. Immutable, so that threads may exchange it without order. */
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

    /** The pattern for {@code java.time}, whose year without era is u; collects its letters outside quotes. */
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
     * Compiles a pattern, or finds it compiled.
     *
     * @param function that a failure names
     * @param pattern  of java.text.SimpleDateFormat's letters
     * @return pattern
     */
    static TimePattern of(final String function, final String pattern)
    {
        final int place = pattern.hashCode() & PLACES - 1;
        final TimePattern known = COMPILED.get(place);
        if (known != null && known.pattern.equals(pattern))
        {
            return known;
        }
        try
        {
            final TimePattern made = new TimePattern(pattern);
            COMPILED.set(place, made);
            return made;
        }
        catch (final IllegalArgumentException failure)
        {
            throw Failures.conversion(function, pattern);
        }
    }

    /** Text of a time in UTC; null for an empty one. */
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
            final String text = Failures.text("to_char", formatter.format(
                Instant.ofEpochSecond(Math.floorDiv(timeNs, SECOND_NS), Math.floorMod(timeNs, SECOND_NS))
                    .atZone(ZoneOffset.UTC)));
            last = new Made(unit, text);
            return text;
        }
        catch (final DateTimeException failure)
        {
            throw Failures.conversion("to_char", pattern);
        }
    }

    /**
     * Reads a text.
     *
     * @param text said to be a time
     * @return fields
     * @throws DateTimeException when it does not follow the pattern
     */
    TemporalAccessor parse(final String text)
    {
        return formatter.parse(text);
    }
}
