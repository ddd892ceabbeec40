package dev.millrace.cql.runtime.function;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.row.RowRejectedException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.TemporalAccessor;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Functions that generated code calls: divisions, strings, conversions. No argument is null. Thread-safe.
 *
 * <p>Failure: {@link RowRejectedException}.
 */
public final class Values
{
    /** Reason for a string that is not a value of the type. */
    public static final String BAD_TEXT = "conversion-failed";
    /** Reason for a function that throws or returns a value of another type. */
    public static final String FUNCTION_FAILED = "function-failed";

    private static final long SECOND_NS = 1_000_000_000L;
    private static final int HOURS_A_DAY = 24;
    private static final int MINUTES_AN_HOUR = 60;
    private static final int NANO_DIGITS = 9;
    /**
     * Maximum number of characters that one evaluation of a regular expression may read: far more than any evaluation
     * needs that does not backtrack exponentially.
     */
    private static final int MAX_LOOKS = 1_000_000;
    private static final Pattern INTERVAL =
        Pattern.compile("\\s*([+-]?)(\\d{1,9})\\s+(\\d{1,2}):(\\d{1,2}):(\\d{1,2})(?:\\.(\\d{1,9}))?\\s*");
    private static final List<DateTimeFormatter> TIMES = List.of(
        times("MM/dd/uuuu HH:mm:ss"), times("MM-dd-uuuu HH:mm:ss"), times("uuuu-MM-dd'T'HH:mm:ss"),
        times("uuuu-MM-dd HH:mm:ss"),
        DateTimeFormatter.ofPattern("MM/dd/uuuu", Locale.ROOT).withResolverStyle(ResolverStyle.STRICT),
        new DateTimeFormatterBuilder().parseCaseInsensitive().appendPattern("dd-MMM-uu")
            .toFormatter(Locale.ENGLISH).withResolverStyle(ResolverStyle.STRICT), DateTimeFormatter.ISO_LOCAL_DATE);
    private static final DateTimeFormatter TIME_TEXT = DateTimeFormatter.ofPattern("MM/dd/yyyy HH:mm:ss", Locale.ROOT);

    private Values()
    {
    }

    private static DateTimeFormatter times(final String pattern)
    {
        return new DateTimeFormatterBuilder().appendPattern(pattern)
            .appendFraction(java.time.temporal.ChronoField.NANO_OF_SECOND, 0, NANO_DIGITS, true)
            .optionalStart().appendLiteral(' ').optionalEnd()
            .optionalStart().appendOffset("+HH:MM", "Z").optionalEnd()
            .optionalStart().appendOffset("+HHMM", "Z").optionalEnd()
            .optionalStart().appendOffset("+HHmm", "Z").optionalEnd()
            .optionalStart().appendZoneText(java.time.format.TextStyle.SHORT).optionalEnd()
            .toFormatter(Locale.ENGLISH).withResolverStyle(ResolverStyle.STRICT);
    }

    private static RowRejectedException divisionByZero()
    {
        return new RowRejectedException(RejectionHandler.DIVISION_BY_ZERO, "a whole number or decimal divided by zero");
    }

    /** Quotient, towards zero; {@link RowRejectedException} for a zero divisor. */
    public static int divide(final int left, final int right)
    {
        if (right == 0)
        {
            throw divisionByZero();
        }
        return left / right;
    }

    /** Quotient, towards zero; {@link RowRejectedException} for a zero divisor. */
    public static long divide(final long left, final long right)
    {
        if (right == 0)
        {
            throw divisionByZero();
        }
        return left / right;
    }

    /** Quotient to 34 digits; {@link RowRejectedException} for a zero divisor. */
    public static BigDecimal divide(final BigDecimal left, final BigDecimal right)
    {
        if (right.signum() == 0)
        {
            throw divisionByZero();
        }
        return left.divide(right, MathContext.DECIMAL128);
    }

    /** An integer as a string. */
    public static String text(final int value)
    {
        return Integer.toString(value);
    }

    /** An integer as a string. */
    public static String text(final long value)
    {
        return Long.toString(value);
    }

    /** A number as the shortest string that converts back to it. */
    public static String text(final float value)
    {
        return Float.toString(value);
    }

    /** A number as the shortest string that converts back to it. */
    public static String text(final double value)
    {
        return Double.toString(value);
    }

    /** {@code true} or {@code false}. */
    public static String text(final boolean value)
    {
        return Boolean.toString(value);
    }

    /** A decimal without exponent. */
    public static String text(final BigDecimal value)
    {
        return value.toPlainString();
    }

    public static String text(final String value)
    {
        return value;
    }

    /** Bytes as hexadecimal digits. */
    public static String text(final byte[] value)
    {
        final StringBuilder text = new StringBuilder(value.length * 2);
        for (final byte each : value)
        {
            text.append(Character.toUpperCase(Character.forDigit(each >> 4 & 15, 16)))
                .append(Character.toUpperCase(Character.forDigit(each & 15, 16)));
        }
        return text.toString();
    }

    /** The {@link Object#toString()} of an object. */
    public static String text(final Object value)
    {
        return value.toString();
    }

    /** A time in UTC as {@code MM/dd/yyyy HH:mm:ss}. */
    public static String timestampText(final long timeNs)
    {
        return TIME_TEXT.format(LocalDateTime.ofInstant(instant(timeNs), ZoneOffset.UTC));
    }

    private static Instant instant(final long timeNs)
    {
        return Instant.ofEpochSecond(Math.floorDiv(timeNs, SECOND_NS), Math.floorMod(timeNs, SECOND_NS));
    }

    /** An interval as {@code d hh:mm:ss.fffffffff}, with as many fraction digits as needed. */
    public static String intervalText(final long lengthNs)
    {
        final long seconds = Math.abs(lengthNs / SECOND_NS);
        final long minutes = seconds / MINUTES_AN_HOUR;
        final long hours = minutes / MINUTES_AN_HOUR;
        final String fraction = String.format(Locale.ROOT, "%09d", Math.abs(lengthNs % SECOND_NS))
            .replaceFirst("0+$", "");
        return String.format(Locale.ROOT, "%s%d %02d:%02d:%02d%s", lengthNs < 0 ? "-" : "", hours / HOURS_A_DAY,
            hours % HOURS_A_DAY, minutes % MINUTES_AN_HOUR, seconds % MINUTES_AN_HOUR,
            fraction.isEmpty() ? "" : "." + fraction);
    }

    /** Parses a timestamp, in UTC when it contains no zone. */
    public static long timestamp(final String text)
    {
        for (final DateTimeFormatter format : TIMES)
        {
            try
            {
                final TemporalAccessor time = format.parseBest(
                    text.strip(), ZonedDateTime::from, LocalDateTime::from, LocalDate::from);
                final Instant instant = time instanceof ZonedDateTime zoned ? zoned.toInstant() :
                    time instanceof LocalDateTime local ? local.toInstant(ZoneOffset.UTC) :
                    ((LocalDate)time).atStartOfDay().toInstant(ZoneOffset.UTC);
                return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), SECOND_NS), instant.getNano());
            }
            catch (final DateTimeParseException | ArithmeticException other)
            {
                // The next format may match.
                continue;
            }
        }
        throw new RowRejectedException(BAD_TEXT, "string is not a timestamp, text=" + text);
    }

    /** Parses an interval: {@code d hh:mm:ss.f}. */
    public static long interval(final String text)
    {
        final Matcher parts = INTERVAL.matcher(text);
        if (!parts.matches())
        {
            throw new RowRejectedException(BAD_TEXT, "string is not an interval, text=" + text);
        }
        final long seconds = ((Long.parseLong(parts.group(2)) * HOURS_A_DAY + Long.parseLong(parts.group(3))) *
            MINUTES_AN_HOUR + Long.parseLong(parts.group(4))) * MINUTES_AN_HOUR + Long.parseLong(parts.group(5));
        final String digits = parts.group(6) == null ? "" : parts.group(6);
        final long fraction = Long.parseLong((digits + "000000000").substring(0, NANO_DIGITS));
        try
        {
            final long length = Math.addExact(Math.multiplyExact(seconds, SECOND_NS), fraction);
            return parts.group(1).equals("-") ? -length : length;
        }
        catch (final ArithmeticException tooLong)
        {
            throw new RowRejectedException(BAD_TEXT, "interval is too long, text=" + text);
        }
    }

    /** An integer as a decimal. */
    public static BigDecimal decimal(final long value)
    {
        return BigDecimal.valueOf(value);
    }

    /** A number as a decimal with the digits of its shortest string. */
    public static BigDecimal decimal(final float value)
    {
        return finite(value, Float.toString(value));
    }

    /** A number as a decimal with the digits of its shortest string. */
    public static BigDecimal decimal(final double value)
    {
        return finite(value, Double.toString(value));
    }

    private static BigDecimal finite(final double value, final String text)
    {
        if (!Double.isFinite(value))
        {
            throw new RowRejectedException(BAD_TEXT, "not a decimal number: " + text);
        }
        return new BigDecimal(text);
    }

    /** The class of boxed values of a type in the engine. */
    public static Class<?> boxedClass(final CqlType type)
    {
        return switch (type)
        {
            case INT -> Integer.class;
            case BIGINT, TIMESTAMP, INTERVAL -> Long.class;
            case FLOAT -> Float.class;
            case DOUBLE -> Double.class;
            case BOOLEAN -> Boolean.class;
            case BIGDECIMAL -> BigDecimal.class;
            case CHAR, XMLTYPE -> String.class;
            case BYTE -> byte[].class;
            case OBJECT -> Object.class;
        };
    }

    public static Object boxed(final int value)
    {
        return value;
    }

    public static Object boxed(final long value)
    {
        return value;
    }

    public static Object boxed(final float value)
    {
        return value;
    }

    public static Object boxed(final double value)
    {
        return value;
    }

    public static Object boxed(final boolean value)
    {
        return value;
    }

    public static Object boxed(final Object value)
    {
        return value;
    }

    /**
     * Whether a string contains a match of a regular expression; an evaluation that reads too many characters is
     * aborted.
     */
    public static boolean like(final String text, final Pattern pattern)
    {
        try
        {
            return pattern.matcher(counted(text)).find();
        }
        catch (final StackOverflowError tooDeep)
        {
            throw tooDeep(text);
        }
    }

    /** A string whose reads are counted, so that exponential backtracking is detected. */
    public static CharSequence counted(final String text)
    {
        return new CountedText(text, new int[]{MAX_LOOKS});
    }

    /** A repeated alternative uses stack for each character. The row is rejected; the query continues. */
    public static RowRejectedException tooDeep(final String text)
    {
        return new RowRejectedException("pattern-too-deep",
            "a regular expression needs too much stack, lengthChars=" + text.length());
    }

    /**
     * A string that counts how many characters are read: a regular expression with exponential backtracking must not
     * block the thread.
     */
    private record CountedText(CharSequence text, int[] looks) implements CharSequence
    {
        @Override
        public char charAt(final int index)
        {
            if (--looks[0] < 0)
            {
                throw new RowRejectedException("pattern-too-slow",
                    "a regular expression read more than " + MAX_LOOKS + " characters, lengthChars=" + text.length());
            }
            return text.charAt(index);
        }

        @Override
        public int length()
        {
            return text.length();
        }

        @Override
        public CharSequence subSequence(final int start, final int end)
        {
            return new CountedText(text.subSequence(start, end), looks);
        }

        @Override
        public String toString()
        {
            return text.toString();
        }
    }

    /** Converts any exception of a function to a rejection. */
    public static RowRejectedException failed(final String function, final Throwable cause)
    {
        return failed(FUNCTION_FAILED, "function=" + function, cause);
    }

    /** Converts any exception of a user's class to a rejection; rethrows JVM errors except stack overflows. */
    public static RowRejectedException failed(final String reason, final String what, final Throwable cause)
    {
        if (cause instanceof RowRejectedException known)
        {
            return known;
        }
        if (cause instanceof VirtualMachineError && !(cause instanceof StackOverflowError))
        {
            throw (VirtualMachineError)cause;
        }
        return new RowRejectedException(reason, what + " cause=" + cause);
    }

    /** Whether two non-null objects of one type are equal values: decimals regardless of their scale. */
    public static boolean isSame(final Object a, final Object b)
    {
        return a instanceof BigDecimal decimal ? decimal.compareTo((BigDecimal)b) == 0 :
            a instanceof byte[] bytes ? Arrays.equals(bytes, (byte[])b) : a.equals(b);
    }

    /** Checks the result of a function: an object of the declared class or {@code null}; an empty string is null. */
    public static Object checked(final Object value, final Class<?> type, final String function)
    {
        if (value == null || value instanceof String text && text.isEmpty())
        {
            return null;
        }
        if (!type.isInstance(value))
        {
            throw new RowRejectedException(FUNCTION_FAILED, "a function returned another type than declared, " +
                "function=" + function + " declared=" + type.getSimpleName() + " returned=" +
                value.getClass().getName());
        }
        return value;
    }

    /** Compares strings by code point; {@link String#compareTo} compares by UTF-16 unit. */
    public static int compareTexts(final String a, final String b)
    {
        final int common = Math.min(a.length(), b.length());
        for (int i = 0; i < common; i++)
        {
            final char x = a.charAt(i);
            final char y = b.charAt(i);
            if (x != y)
            {
                return Character.isSurrogate(x) == Character.isSurrogate(y) ? Character.compare(x, y) :
                    Character.isSurrogate(x) ? 1 : -1;
            }
        }
        return Integer.compare(a.length(), b.length());
    }
}
