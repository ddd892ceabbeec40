package dev.millrace.network.conversion;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventRejectedException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;

/** Writes one object into one cell of a batch and converts it to the column's type. */
final class ValueWriter
{
    private ValueWriter()
    {
    }

    /**
     * Writes a value.
     *
     * @param value may be {@code null}
     * @throws EventRejectedException when the value does not fit the column
     */
    static void write(
        final EventType type, final int column, final Object value, final EventBatch batch, final int row)
        throws EventRejectedException
    {
        if (value == null)
        {
            batch.setNull(column, row);
            return;
        }
        batch.clearNull(column, row);
        switch (type.properties().get(column).type())
        {
            case INT ->
                batch.ints(column)[row] = (int)integer(type, column, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case BIGINT -> batch.longs(column)[row] = integer(type, column, value, Long.MIN_VALUE, Long.MAX_VALUE);
            case FLOAT -> batch.floats(column)[row] = floating(type, column, value);
            case DOUBLE -> batch.doubles(column)[row] = number(type, column, value).doubleValue();
            case BIGDECIMAL -> batch.references(column)[row] = decimal(type, column, value);
            case CHAR -> writeText(type, column, value, batch, row);
            case BOOLEAN -> batch.bits(column)[row] = (byte)(expect(Boolean.class, type, column, value) ? 1 : 0);
            case BYTE -> batch.references(column)[row] = expect(byte[].class, type, column, value);
            case TIMESTAMP -> batch.longs(column)[row] = instant(type, column, value);
            case INTERVAL -> batch.longs(column)[row] = interval(type, column, value);
            case XMLTYPE -> batch.references(column)[row] = expect(String.class, type, column, value);
            default -> batch.references(column)[row] = value;
        }
    }

    /**
     * Converts a value as {@link #write} does.
     *
     * @param value may be {@code null}
     * @return Integer, Long, Float, Double, BigDecimal, String, Boolean, byte[], Long for times, or the object itself
     *     for an object column; null for null and the empty string
     * @throws EventRejectedException when the value does not fit the column
     */
    static Object converted(final EventType type, final int column, final Object value) throws EventRejectedException
    {
        if (value == null)
        {
            return null;
        }
        return switch (type.properties().get(column).type())
        {
            case INT -> (int)integer(type, column, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case BIGINT -> integer(type, column, value, Long.MIN_VALUE, Long.MAX_VALUE);
            case FLOAT -> floating(type, column, value);
            case DOUBLE -> number(type, column, value).doubleValue();
            case BIGDECIMAL -> decimal(type, column, value);
            case CHAR -> text(type, column, value);
            case BOOLEAN -> expect(Boolean.class, type, column, value);
            case BYTE -> expect(byte[].class, type, column, value);
            case TIMESTAMP -> instant(type, column, value);
            case INTERVAL -> interval(type, column, value);
            case XMLTYPE -> expect(String.class, type, column, value);
            default -> value;
        };
    }

    private static String text(final EventType type, final int column, final Object value)
        throws EventRejectedException
    {
        if (!(value instanceof CharSequence || value instanceof Character))
        {
            throw wrong("value has a wrong type", type, column, value);
        }
        final String text = value.toString();
        return text.isEmpty() ? null : text;
    }

    private static long integer(
        final EventType type, final int column, final Object value, final long least, final long greatest)
        throws EventRejectedException
    {
        final Number number = number(type, column, value);
        final long asLong = number.longValue();
        final boolean exact = isInteger(number) || number instanceof BigInteger big && big.bitLength() < Long.SIZE ||
            number instanceof BigDecimal decimal && decimal.compareTo(BigDecimal.valueOf(asLong)) == 0 ||
            (number instanceof Double || number instanceof Float) && Math.abs(number.doubleValue()) < 0x1p63 &&
                number.doubleValue() == asLong;
        if (!exact || asLong < least || asLong > greatest)
        {
            throw wrong("value does not fit", type, column, value);
        }
        return asLong;
    }

    private static boolean isInteger(final Number number)
    {
        return number instanceof Integer || number instanceof Long || number instanceof Short ||
            number instanceof Byte || number instanceof java.util.concurrent.atomic.AtomicLong ||
            number instanceof java.util.concurrent.atomic.AtomicInteger;
    }

    private static float floating(final EventType type, final int column, final Object value)
        throws EventRejectedException
    {
        final Number number = number(type, column, value);
        final float result = number.floatValue();
        if (Float.isInfinite(result) && !Double.isInfinite(number.doubleValue()))
        {
            throw wrong("value does not fit", type, column, value);
        }
        return result;
    }

    private static BigDecimal decimal(final EventType type, final int column, final Object value)
        throws EventRejectedException
    {
        final Number number = number(type, column, value);
        if (number instanceof BigDecimal decimal)
        {
            return decimal;
        }
        if (number instanceof BigInteger big)
        {
            return new BigDecimal(big);
        }
        if (isInteger(number))
        {
            return BigDecimal.valueOf(number.longValue());
        }
        if (!Double.isFinite(number.doubleValue()))
        {
            throw wrong("value does not fit", type, column, value);
        }
        return new BigDecimal(number.toString());
    }

    private static void writeText(
        final EventType type, final int column, final Object value, final EventBatch batch, final int row)
        throws EventRejectedException
    {
        if (!(value instanceof CharSequence || value instanceof Character))
        {
            throw wrong("value has a wrong type", type, column, value);
        }
        batch.texts(column).set(row, value.toString());
    }

    private static long instant(final EventType type, final int column, final Object value)
        throws EventRejectedException
    {
        if (value instanceof Instant instant)
        {
            return nanos(type, column, value, Duration.ofSeconds(instant.getEpochSecond(), instant.getNano()));
        }
        if (value instanceof Date date)
        {
            // java.sql.Timestamp keeps its nanoseconds in toInstant(); java.sql.Date and Time do not support that call.
            final boolean hasInstant = date.getClass() == Date.class ||
                "java.sql.Timestamp".equals(date.getClass().getName());
            return hasInstant ? instant(type, column, date.toInstant()) :
                nanos(type, column, value, Duration.ofMillis(date.getTime()));
        }
        return integer(type, column, value, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private static long interval(final EventType type, final int column, final Object value)
        throws EventRejectedException
    {
        if (value instanceof Duration duration)
        {
            return nanos(type, column, value, duration);
        }
        return integer(type, column, value, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private static long nanos(final EventType type, final int column, final Object value, final Duration duration)
        throws EventRejectedException
    {
        try
        {
            return duration.toNanos();
        }
        catch (final ArithmeticException tooFar)
        {
            throw wrong("value does not fit", type, column, value);
        }
    }

    private static Number number(final EventType type, final int column, final Object value)
        throws EventRejectedException
    {
        return expect(Number.class, type, column, value);
    }

    private static <T> T expect(final Class<T> wanted, final EventType type, final int column, final Object value)
        throws EventRejectedException
    {
        if (!wanted.isInstance(value))
        {
            throw wrong("value has a wrong type", type, column, value);
        }
        return wanted.cast(value);
    }

    private static EventRejectedException wrong(
        final String fact, final EventType type, final int column, final Object value)
    {
        final CqlType wanted = type.properties().get(column).type();
        return new EventRejectedException(fact + ", type=" + type.name() + " property=" + name(type, column) +
            " expected=" + wanted.cqlName() + " value=" + abbreviate(value) + " class=" + value.getClass().getName());
    }

    private static String abbreviate(final Object value)
    {
        final String text = String.valueOf(value);
        return text.length() <= 100 ? text : text.substring(0, 100) + "...";
    }

    private static String name(final EventType type, final int column)
    {
        return type.properties().get(column).name();
    }
}
