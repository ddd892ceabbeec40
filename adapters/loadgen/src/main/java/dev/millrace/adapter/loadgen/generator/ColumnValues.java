package dev.millrace.adapter.loadgen.generator;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;

/** Values of properties: read from text, and written into batches. Thread-safe. */
final class ColumnValues
{
    private ColumnValues()
    {
    }

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException with the fact, if the text is not a value of the property
     */
    static Object parse(final EventProperty property, final String text)
    {
        try
        {
            return switch (property.type())
            {
                case INT -> Integer.valueOf(text);
                case BIGINT, INTERVAL -> Long.valueOf(text);
                case FLOAT -> Float.valueOf(text);
                case DOUBLE -> Double.valueOf(text);
                case BIGDECIMAL -> new BigDecimal(text);
                case BOOLEAN -> bool(text);
                case TIMESTAMP -> time(text);
                case CHAR -> checkLength(property, text);
                case BYTE -> HexFormat.of().parseHex(text);
                case XMLTYPE -> text;
                default -> throw new IllegalArgumentException("objects have no text");
            };
        }
        catch (final IllegalArgumentException | DateTimeException | ArithmeticException e)
        {
            throw new IllegalArgumentException("not a value of type " + property.type().cqlName() + ", value=" + text,
                e);
        }
    }

    private static String checkLength(final EventProperty property, final String text)
    {
        if (text.isEmpty() || text.length() > property.lengthChars())
        {
            throw new IllegalArgumentException("length");
        }
        return text;
    }

    private static Boolean bool(final String text)
    {
        if (!text.equals("true") && !text.equals("false"))
        {
            throw new IllegalArgumentException(text);
        }
        return text.equals("true");
    }

    private static Long time(final String text)
    {
        if (text.matches("-?\\d{1,19}"))
        {
            return Long.valueOf(text);
        }
        final Instant time = Instant.parse(text);
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), TimeUnit.SECONDS.toNanos(1)), time.getNano());
    }

    /** Writes a value that {@link #parse} returned; {@code null} for null. */
    static void set(final EventBatch batch, final int column, final int row, final CqlType type, final Object value)
    {
        if (value == null)
        {
            batch.setNull(column, row);
            return;
        }
        switch (type)
        {
            case INT -> batch.ints(column)[row] = (Integer)value;
            case BIGINT, INTERVAL, TIMESTAMP -> batch.longs(column)[row] = (Long)value;
            case FLOAT -> batch.floats(column)[row] = (Float)value;
            case DOUBLE -> batch.doubles(column)[row] = (Double)value;
            case BOOLEAN -> batch.bits(column)[row] = (byte)((Boolean)value ? 1 : 0);
            case CHAR -> batch.texts(column).set(row, (String)value);
            default -> batch.references(column)[row] = value;
        }
    }
}
