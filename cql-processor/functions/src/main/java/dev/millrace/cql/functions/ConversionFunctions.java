package dev.millrace.cql.functions;

import dev.millrace.api.time.Clock;
import dev.millrace.cql.runtime.function.FunctionErrors;
import dev.millrace.cql.runtime.function.Values;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Conversions between types. Times are nanoseconds since 1970-01-01 UTC. */
public final class ConversionFunctions
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int MAX_DIGITS = 100;
    private static final Pattern INTERVAL =
        Pattern.compile("([+-]?)(\\d{1,9})[ ]+([01]?\\d|2[0-3]):([0-5]?\\d):([0-5]?\\d)(?:\\.(\\d{1,9}))?");

    private ConversionFunctions()
    {
    }

    /** Bytes from hexadecimal digits. */
    public static byte[] hextoraw(final String text)
    {
        try
        {
            return HexFormat.of().parseHex(text.length() % 2 == 0 ? text : "0" + text);
        }
        catch (final IllegalArgumentException failure)
        {
            throw FunctionErrors.conversion("hextoraw", text);
        }
    }

    /** Hexadecimal digits of bytes. */
    public static String rawtohex(final byte[] bytes)
    {
        return bytes.length == 0 ? null : HexFormat.of().withUpperCase().formatHex(bytes);
    }

    /** The system time. */
    public static long systimestamp()
    {
        return Clock.SYSTEM.epochNs();
    }

    /** The number; fails if it is out of range. */
    public static int toInt(final long value)
    {
        if (value != (int) value)
        {
            throw FunctionErrors.conversion("to_int", value);
        }
        return (int) value;
    }

    /** The number without fraction; fails if it is out of range. */
    public static int toInt(final double value)
    {
        if (!(value > Integer.MIN_VALUE - 1.0 && value < Integer.MAX_VALUE + 1.0))
        {
            throw FunctionErrors.conversion("to_int", value);
        }
        return (int) value;
    }

    /** Parses an integer. */
    public static int toInt(final String text)
    {
        try
        {
            return Integer.parseInt(text.strip());
        }
        catch (final NumberFormatException failure)
        {
            throw FunctionErrors.conversion("to_int", text);
        }
    }

    /** The number without fraction; fails if it is out of range. */
    public static int toInt(final BigDecimal value)
    {
        final long digits = digitsBeforePoint(value);
        if (value.signum() != 0 && digits > 10)
        {
            throw FunctionErrors.conversion("to_int", value);
        }
        return value.signum() == 0 || digits <= 0 ? 0 : toInt(value.longValue());
    }

    /** Number of digits before the decimal point: checked before a number is converted to plain digits. */
    private static long digitsBeforePoint(final BigDecimal value)
    {
        return (long) value.precision() - value.scale();
    }

    /** The number. */
    public static long toBigint(final int value)
    {
        return value;
    }

    /** The number. */
    public static long toBigint(final long value)
    {
        return value;
    }

    /** The number without fraction; fails if it is out of range. */
    public static long toBigint(final double value)
    {
        if (!(value >= Long.MIN_VALUE && value < -(double) Long.MIN_VALUE))
        {
            throw FunctionErrors.conversion("to_bigint", value);
        }
        return (long) value;
    }

    /** Parses an integer. */
    public static long toBigint(final String text)
    {
        try
        {
            return Long.parseLong(text.strip());
        }
        catch (final NumberFormatException failure)
        {
            throw FunctionErrors.conversion("to_bigint", text);
        }
    }

    /** The number without fraction; fails if it is out of range. */
    public static long toBigint(final BigDecimal value)
    {
        final long digits = digitsBeforePoint(value);
        if (value.signum() != 0 && digits > 19)
        {
            throw FunctionErrors.conversion("to_bigint", value);
        }
        try
        {
            return value.signum() == 0 || digits <= 0 ? 0 : value.setScale(0, RoundingMode.DOWN).longValueExact();
        }
        catch (final ArithmeticException outOfRange)
        {
            throw FunctionErrors.conversion("to_bigint", value);
        }
    }

    /** Nanoseconds of a time or duration. */
    public static long timeToBigint(final long timeNs)
    {
        return timeNs;
    }

    /** False for 0. */
    public static boolean toBoolean(final int value)
    {
        return value != 0;
    }

    /** False for 0. */
    public static boolean toBoolean(final long value)
    {
        return value != 0;
    }

    /** False for 0 and for -0. */
    public static boolean toBoolean(final double value)
    {
        return value != 0;
    }

    /** False for 0. */
    public static boolean toBoolean(final BigDecimal value)
    {
        return value.signum() != 0;
    }

    /** The value itself. */
    public static boolean toBoolean(final boolean value)
    {
        return value;
    }

    /** Parses {@code true} or {@code false}. */
    public static boolean toBoolean(final String text)
    {
        return switch (text.strip().toLowerCase(Locale.ROOT))
        {
            case "true" -> true;
            case "false" -> false;
            default -> throw FunctionErrors.conversion("to_boolean", text);
        };
    }

    /** Decimal digits. */
    public static String toChar(final int value)
    {
        return Values.text(value);
    }

    /** Decimal digits. */
    public static String toChar(final long value)
    {
        return Values.text(value);
    }

    /** Shortest representation. */
    public static String toChar(final float value)
    {
        return Values.text(value);
    }

    /** Shortest representation. */
    public static String toChar(final double value)
    {
        return Values.text(value);
    }

    /** Representation without exponent. */
    public static String toChar(final BigDecimal value)
    {
        return value.toPlainString();
    }

    /** {@code true} or {@code false}. */
    public static String toChar(final boolean value)
    {
        return Boolean.toString(value);
    }

    /** The string itself. */
    public static String toChar(final String text)
    {
        return text;
    }

    /** Representation of a time. */
    public static String timestampToChar(final long timeNs)
    {
        return Values.timestampText(timeNs);
    }

    /** Representation of a time by a pattern. */
    public static String timestampToChar(final long timeNs, final String pattern)
    {
        return TimePattern.of("to_char", pattern).format(timeNs);
    }

    /** Representation of a duration. */
    public static String intervalToChar(final long lengthNs)
    {
        return Values.intervalText(lengthNs);
    }

    /** The number. */
    public static float toFloat(final float value)
    {
        return value;
    }

    /** The nearest 32-bit number. */
    public static float toFloat(final double value)
    {
        return (float) value;
    }

    /** The nearest 32-bit number. */
    public static float toFloat(final BigDecimal value)
    {
        return value.floatValue();
    }

    /** Parses a number. */
    public static float toFloat(final String text)
    {
        try
        {
            return Float.parseFloat(text.strip());
        }
        catch (final NumberFormatException failure)
        {
            throw FunctionErrors.conversion("to_float", text);
        }
    }

    /** The number. */
    public static double toDouble(final double value)
    {
        return value;
    }

    /** The nearest 64-bit number. */
    public static double toDouble(final BigDecimal value)
    {
        return value.doubleValue();
    }

    /** Parses a number. */
    public static double toDouble(final String text)
    {
        try
        {
            return Double.parseDouble(text.strip());
        }
        catch (final NumberFormatException failure)
        {
            throw FunctionErrors.conversion("to_double", text);
        }
    }

    /** The number. */
    public static BigDecimal toBigdecimal(final long value)
    {
        return BigDecimal.valueOf(value);
    }

    /** The shortest decimal number with this value. */
    public static BigDecimal toBigdecimal(final double value)
    {
        if (!Double.isFinite(value))
        {
            throw FunctionErrors.conversion("to_bigdecimal", value);
        }
        return new BigDecimal(Double.toString(value));
    }

    /** The shortest decimal number with this value. */
    public static BigDecimal toBigdecimal(final float value)
    {
        if (!Float.isFinite(value))
        {
            throw FunctionErrors.conversion("to_bigdecimal", value);
        }
        return new BigDecimal(Float.toString(value));
    }

    /** The number itself. */
    public static BigDecimal toBigdecimal(final BigDecimal value)
    {
        return value;
    }

    /** Parses a number; fails if it has too many digits, also in plain notation. */
    public static BigDecimal toBigdecimal(final String text)
    {
        try
        {
            final BigDecimal value = new BigDecimal(text.strip());
            if (value.precision() <= MAX_DIGITS && Math.abs((long) value.scale()) <= MAX_DIGITS)
            {
                return value;
            }
        }
        catch (final NumberFormatException failure)
        {
            throw FunctionErrors.conversion("to_bigdecimal", text);
        }
        throw FunctionErrors.conversion("to_bigdecimal", text);
    }

    /** Parses a duration of days, hours, minutes and seconds. */
    public static long toInterval(final String text)
    {
        final Matcher parts = INTERVAL.matcher(text.strip());
        if (!parts.matches())
        {
            throw FunctionErrors.conversion("to_interval", text);
        }
        final long hours = Long.parseLong(parts.group(2)) * 24 + Long.parseLong(parts.group(3));
        final long seconds = (hours * 60 + Long.parseLong(parts.group(4))) * 60 + Long.parseLong(parts.group(5));
        final String fraction = parts.group(6) == null ? "" : parts.group(6);
        try
        {
            final long lengthNs = Math.addExact(Math.multiplyExact(seconds, SECOND_NS),
                Long.parseLong((fraction + "000000000").substring(0, 9)));
            return "-".equals(parts.group(1)) ? -lengthNs : lengthNs;
        }
        catch (final ArithmeticException outOfRange)
        {
            throw FunctionErrors.conversion("to_interval", text);
        }
    }

    /** The duration of this number of nanoseconds, or the duration itself. */
    public static long toInterval(final long lengthNs)
    {
        return lengthNs;
    }

    /** Parses a time. */
    public static long toTimestamp(final String text)
    {
        return Values.timestamp(text);
    }

    /** The time of this number of nanoseconds. */
    public static long toTimestamp(final long timeNs)
    {
        return timeNs;
    }

    /** Parses a time by a pattern; fields that the pattern omits are those of the beginning of 1970 or of a day. */
    public static long toTimestamp(final String text, final String pattern)
    {
        try
        {
            final TemporalAccessor parsed = TimePattern.of("to_timestamp", pattern).parse(text);
            final LocalDate date = parsed.query(TemporalQueries.localDate());
            final LocalTime time = parsed.query(TemporalQueries.localTime());
            final ZoneId zone = parsed.query(TemporalQueries.zone());
            final Instant instant = (date == null ? LocalDate.EPOCH : date)
                .atTime(time == null ? LocalTime.MIDNIGHT : time).atZone(zone == null ? ZoneOffset.UTC : zone)
                .toInstant();
            return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), SECOND_NS), instant.getNano());
        }
        catch (final DateTimeException | ArithmeticException failure)
        {
            throw FunctionErrors.conversion("to_timestamp", text);
        }
    }
}
