package dev.millrace.cql.language.types;

import java.math.BigDecimal;
import java.text.ParsePosition;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses times. */
public final class TimestampParser
{
    private static final List<String> FIELDS = List.of("day", "hour", "minute", "second");
    private static final long[] FIELD_NS = {86_400_000_000_000L, 3_600_000_000_000L, 60_000_000_000L, 1_000_000_000L};
    private static final Pattern NUMBERS = Pattern.compile("\\d{1,18}(\\.\\d{1,9})?");

    private static final List<DateTimeFormatter> TIMESTAMPS = List.of(format("M/d/uuuu", " "), format("M-d-uuuu", " "),
        format("d-MMM-uuuu", " "), format("d-MMM-uu", " "), format("uuuu-MM-dd", "T"), format("uuuu-MM-dd", " "));

    private TimestampParser()
    {
    }

    /**
     * The duration of an interval.
     *
     * @param text for example {@code 0 00:00:05.00}, with a sign or without
     * @param from name of the first field in lower case
     * @param to   name of the last field
     * @return nanoseconds, or {@code null} if the string is not an interval of these fields
     */
    public static Long interval(final String text, final String from, final String to)
    {
        final String trimmed = text.strip();
        final boolean negative = trimmed.startsWith("-");
        final String body = negative || trimmed.startsWith("+") ? trimmed.substring(1).strip() : trimmed;
        final int first = FIELDS.indexOf(from);
        final int last = FIELDS.indexOf(to);
        final String[] parts = body.split("[ :]+", -1);
        if (last < first || parts.length != last - first + 1)
        {
            return null;
        }
        BigDecimal sum = BigDecimal.ZERO;
        for (int i = 0; i < parts.length; i++)
        {
            final Matcher number = NUMBERS.matcher(parts[i]);
            if (!number.matches() || number.group(1) != null && FIELD_NS[first + i] != FIELD_NS[3])
            {
                return null;
            }
            final BigDecimal value = new BigDecimal(parts[i]);
            if (i > 0 && value.compareTo(BigDecimal.valueOf(first + i == 1 ? 24 : 60)) >= 0)
            {
                return null;
            }
            sum = sum.add(value.multiply(BigDecimal.valueOf(FIELD_NS[first + i])));
        }
        final BigDecimal signed = negative ? sum.negate() : sum;
        return signed.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0 ? null : Long.valueOf(signed.longValue());
    }

    /**
     * The instant of a timestamp string, in UTC unless it has a zone.
     *
     * @param text {@code MM/dd/yyyy HH:mm:ss}, {@code MM-dd-yyyy HH:mm:ss}, {@code dd-MMM-yy}, {@code
     *     yyyy-MM-ddTHH:mm:ss} or {@code yyyy-MM-dd HH:mm:ss}; seconds may have a fraction, the time may be omitted
     * @return nanoseconds since 1970, or {@code null} if the string is not a timestamp
     */
    public static Long timestamp(final String text)
    {
        for (final DateTimeFormatter format : TIMESTAMPS)
        {
            final ParsePosition at = new ParsePosition(0);
            final TemporalAccessor parsed = format.parseUnresolved(text.strip(), at);
            if (parsed != null && at.getErrorIndex() < 0 && at.getIndex() == text.strip().length())
            {
                return instant(format, text.strip());
            }
        }
        return null;
    }

    private static Long instant(final DateTimeFormatter format, final String text)
    {
        try
        {
            final TemporalAccessor parsed = format.parse(text);
            final LocalDate date = parsed.query(TemporalQueries.localDate());
            final LocalTime time = parsed.query(TemporalQueries.localTime());
            final ZoneId zone = parsed.query(TemporalQueries.zone());
            final Instant instant = date.atTime(time == null ? LocalTime.MIDNIGHT : time)
                .atZone(zone == null ? ZoneOffset.UTC : zone).toInstant();
            return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
        }
        catch (final DateTimeException | ArithmeticException outOfRange)
        {
            return null;
        }
    }

    private static DateTimeFormatter format(final String date, final String separator)
    {
        return new DateTimeFormatterBuilder().parseCaseInsensitive().appendPattern(date)
            .optionalStart().appendLiteral(separator).appendPattern("HH:mm:ss")
            .optionalStart().appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true).optionalEnd()
            .optionalStart().appendLiteral(' ').optionalEnd()
            .optionalStart().appendOffset("+HH:MM", "Z").optionalEnd()
            .optionalStart().appendOffset("+HHMM", "Z").optionalEnd()
            .optionalStart().appendZoneText(TextStyle.SHORT).optionalEnd()
            .optionalEnd()
            .toFormatter(Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);
    }
}
