package dev.millrace.cql.language.types;

import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads times that are written as text. */
public final class TimeTexts
{
    private static final List<String> FIELDS = List.of("day", "hour", "minute", "second");
    private static final long[] FIELD_NS = {86_400_000_000_000L, 3_600_000_000_000L, 60_000_000_000L, 1_000_000_000L};
    private static final Pattern NUMBERS = Pattern.compile("\\d{1,18}(\\.\\d{1,9})?");

    private TimeTexts()
    {
    }

    /**
     * The length of an interval.
     *
     * @param text for example {@code 0 00:00:05.00}, with a sign or without
     * @param from name of the first field in lower case
     * @param to   name of the last field
     * @return nanoseconds, or {@code null} when the text is no interval of these fields
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
}
