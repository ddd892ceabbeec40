package dev.millrace.cql.testkit.interpreter.syntax;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Operations on values. */
public final class Values
{
    private static final Pattern INTERVAL =
        Pattern.compile("\\s*([+-]?)(\\d+)\\s+(\\d+):(\\d+):(\\d+)(?:\\.(\\d{1,9}))?\\s*");
    /** Units of intervals, longest first. */
    static final List<String> FIELDS = List.of("day", "hour", "minute", "second");

    private static final long[] SECONDS = {86_400, 3_600, 60, 1};
    private static final long SECOND = 1_000_000_000L;
    private static final List<DateTimeFormatter> TIMES = List.of(
        strict("MM/dd/uuuu HH:mm:ss"),
        strict("MM-dd-uuuu HH:mm:ss"),
        strict("uuuu-MM-dd'T'HH:mm:ss"),
        strict("uuuu-MM-dd HH:mm:ss"));

    private Values()
    {
    }

    private static DateTimeFormatter strict(final String pattern)
    {
        return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);
    }

    /**
     * Parses "d hh:mm:ss.fff".
     *
     * @return nanoseconds
     */
    public static long interval(final String text)
    {
        final Matcher matcher = INTERVAL.matcher(text);
        if (!matcher.matches())
        {
            throw new InvalidStatementException("bad interval " + text);
        }
        final String fraction = matcher.group(6) == null ? "0" : matcher.group(6);
        final long seconds = ((Long.parseLong(matcher.group(2)) * 24 + Long.parseLong(matcher.group(3))) * 60
            + Long.parseLong(matcher.group(4))) * 60 + Long.parseLong(matcher.group(5));
        final long ns = seconds * SECOND + Long.parseLong((fraction + "000000000").substring(0, 9));
        return matcher.group(1).equals("-") ? -ns : ns;
    }

    /**
     * Parses the fields of an interval, each except the first below the number of its units in the previous one.
     *
     * @param from index of its first field in {@link #FIELDS}
     * @param to   index of its last field
     * @return nanoseconds
     */
    static long interval(final String text, final int from, final int to)
    {
        final String trimmed = text.trim();
        final boolean signed = trimmed.startsWith("-") || trimmed.startsWith("+");
        final String[] parts = (signed ? trimmed.substring(1) : trimmed).trim().split("[ :]+", -1);
        if (parts.length != to - from + 1)
        {
            throw new InvalidStatementException("bad interval " + text);
        }
        BigDecimal seconds = BigDecimal.ZERO;
        for (int i = 0; i < parts.length; i++)
        {
            if (!parts[i].matches(from + i == 3 ? "\\d{1,18}(\\.\\d{1,9})?" : "\\d{1,18}"))
            {
                throw new InvalidStatementException("bad interval " + text);
            }
            final BigDecimal part = new BigDecimal(parts[i]);
            if (i > 0 && part.compareTo(BigDecimal.valueOf(from + i == 1 ? 24 : 60)) >= 0)
            {
                throw new InvalidStatementException("bad interval " + text);
            }
            seconds = seconds.add(part.multiply(BigDecimal.valueOf(SECONDS[from + i])));
        }
        try
        {
            final long ns = seconds.movePointRight(9).longValueExact();
            return trimmed.startsWith("-") ? -ns : ns;
        }
        catch (final ArithmeticException tooLong)
        {
            throw new InvalidStatementException("bad interval " + text);
        }
    }

    /**
     * Formats an interval.
     *
     * @param ns nanoseconds
     * @return "d hh:mm:ss.fffffffff"
     */
    public static String intervalText(final long ns)
    {
        final long length = Math.abs(ns);
        final long seconds = length / SECOND;
        return String.format(Locale.ROOT, "%s%d %02d:%02d:%02d.%09d", ns < 0 ? "-" : "", seconds / 86_400,
            seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60, length % SECOND);
    }

    /**
     * Parses a time.
     *
     * @return nanoseconds since 1970
     */
    public static long timestamp(final String text)
    {
        for (final DateTimeFormatter format : TIMES)
        {
            try
            {
                return LocalDateTime.parse(text.trim(), format).toEpochSecond(ZoneOffset.UTC) * SECOND;
            }
            catch (final DateTimeParseException wrongFormat)
            {
                continue;
            }
        }
        throw new RowEvaluationException("bad timestamp " + text);
    }

    /**
     * Formats a time, with seconds as the smallest unit.
     *
     * @param ns nanoseconds since 1970
     */
    public static String timestampText(final long ns)
    {
        return LocalDateTime.ofEpochSecond(Math.floorDiv(ns, SECOND), 0, ZoneOffset.UTC).format(TIMES.get(0));
    }

    public static String text(final Object value)
    {
        if (value instanceof Double number && number == Math.rint(number) && Math.abs(number) < 1e15)
        {
            return BigDecimal.valueOf(number).setScale(1, RoundingMode.HALF_EVEN).toPlainString();
        }
        return value == null ? "" : value.toString();
    }

    public static Object cast(final Object value, final Type from, final Type to)
    {
        if (value == null || from == to)
        {
            return value;
        }
        if (to.isNumber() && value instanceof Number number)
        {
            switch (to)
            {
                case INT:
                    return number.intValue();
                case BIGINT:
                    return number.longValue();
                case FLOAT:
                    return number.floatValue();
                case DOUBLE:
                    return number.doubleValue();
                default:
                    if (!Double.isFinite(number.doubleValue()))
                    {
                        throw new RowEvaluationException("no bigdecimal: " + number);
                    }
                    return number instanceof BigDecimal ? number : new BigDecimal(number.toString());
            }
        }
        if (to == Type.CHAR)
        {
            return from == Type.TIMESTAMP ? timestampText((Long)value) : text(value);
        }
        if (to == Type.TIMESTAMP && value instanceof String text)
        {
            return timestamp(text);
        }
        throw new InvalidStatementException("no conversion from " + from + " to " + to);
    }

    public static Object arithmetic(final char sign, final Type type, final Object a, final Object b)
    {
        switch (type)
        {
            case INT:
                return whole(sign, (Integer)a, (Integer)b, true).intValue();
            case FLOAT:
                return floating(sign, (Float)a, (Float)b);
            case DOUBLE:
                return floating(sign, (Double)a, (Double)b);
            case BIGDECIMAL:
                return decimal(sign, (BigDecimal)a, (BigDecimal)b);
            default:
                return whole(sign, (Long)a, (Long)b, false);
        }
    }

    private static Long whole(final char sign, final long a, final long b, final boolean narrow)
    {
        switch (sign)
        {
            case '+':
                return a + b;
            case '-':
                return a - b;
            case '*':
                return a * b;
            default:
                if (b == 0)
                {
                    throw new RowEvaluationException("division by zero");
                }
                return narrow ? (long)((int)a / (int)b) : a / b;
        }
    }

    private static float floating(final char sign, final float a, final float b)
    {
        return sign == '+' ? a + b : sign == '-' ? a - b : sign == '*' ? a * b : a / b;
    }

    private static double floating(final char sign, final double a, final double b)
    {
        return sign == '+' ? a + b : sign == '-' ? a - b : sign == '*' ? a * b : a / b;
    }

    private static BigDecimal decimal(final char sign, final BigDecimal a, final BigDecimal b)
    {
        if (sign == '/' && b.signum() == 0)
        {
            throw new RowEvaluationException("division by zero");
        }
        return sign == '+' ? a.add(b) : sign == '-' ? a.subtract(b) : sign == '*' ? a.multiply(b)
            : a.divide(b, MathContext.DECIMAL128);
    }

    /** Compares two values of one type, neither null. */
    @SuppressWarnings({"unchecked", "rawtypes"}) // Both sides were converted to one type before.
    public static int compare(final Object a, final Object b)
    {
        if (a instanceof Double x && b instanceof Double y)
        {
            return x < y ? -1 : x > y ? 1 : x.doubleValue() == y.doubleValue() ? 0 : Double.compare(x, y);
        }
        if (a instanceof Float x && b instanceof Float y)
        {
            return x < y ? -1 : x > y ? 1 : x.floatValue() == y.floatValue() ? 0 : Float.compare(x, y);
        }
        if (a instanceof String x && b instanceof String y)
        {
            return codePoints(x, y);
        }
        return ((Comparable)a).compareTo(b);
    }

    private static int codePoints(final String a, final String b)
    {
        final int[] x = a.codePoints().toArray();
        final int[] y = b.codePoints().toArray();
        return java.util.Arrays.compare(x, y);
    }
}
