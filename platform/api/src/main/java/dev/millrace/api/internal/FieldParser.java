package dev.millrace.api.internal;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import java.nio.charset.StandardCharsets;

/**
 * Converts fields of text to the types of properties other than char, and writes them to a batch. Not thread-safe.
 * Allocates only for booleans, numbers of unusual length and unusual timestamps.
 */
public final class FieldParser
{
    private final EventBatch batch;
    private final AsciiNumberParser number = new AsciiNumberParser();
    private final InstantParser instant = new InstantParser();

    /**
     * Creates a parser.
     *
     * @param batch receives the values; of the caller, which refills it
     */
    public FieldParser(final EventBatch batch)
    {
        this.batch = batch;
    }

    /**
     * Writes the value of a field that is not empty.
     *
     * @param type   of the property
     * @param column of the batch
     * @param row    of the batch
     * @param bytes  contains the field
     * @param from   its first byte
     * @param to     its end
     * @return false when the field is not a value of the type
     */
    public boolean put(
        final CqlType type, final int column, final int row, final byte[] bytes, final int from, final int to)
    {
        return switch (type)
        {
            case DOUBLE, FLOAT -> putFloating(type, column, row, bytes, from, to);
            case INT -> putInt(column, row, bytes, from, to);
            case BOOLEAN -> putBoolean(column, row, bytes, from, to);
            case TIMESTAMP -> putTimestamp(column, row, bytes, from, to);
            default -> putLong(column, row, bytes, from, to);
        };
    }

    private boolean putFloating(
        final CqlType type, final int column, final int row, final byte[] bytes, final int from, final int to)
    {
        if (!number.parseDouble(bytes, from, to))
        {
            return false;
        }
        if (type == CqlType.FLOAT)
        {
            return putFloat(column, row, bytes, from, to);
        }
        batch.doubles(column)[row] = number.floating();
        return true;
    }

    /** Rounds once, directly from the text: rounding to double first could return an adjacent value. */
    private boolean putFloat(final int column, final int row, final byte[] bytes, final int from, final int to)
    {
        final double parsed = number.floating();
        final float value = parsed == (float)parsed ? (float)parsed :
            Float.parseFloat(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
        batch.floats(column)[row] = value;
        return Float.isFinite(value);
    }

    private boolean putInt(final int column, final int row, final byte[] bytes, final int from, final int to)
    {
        if (!number.parseLong(bytes, from, to) || number.integer() != (int)number.integer())
        {
            return false;
        }
        batch.ints(column)[row] = (int)number.integer();
        return true;
    }

    private boolean putLong(final int column, final int row, final byte[] bytes, final int from, final int to)
    {
        if (!number.parseLong(bytes, from, to))
        {
            return false;
        }
        batch.longs(column)[row] = number.integer();
        return true;
    }

    private boolean putBoolean(final int column, final int row, final byte[] bytes, final int from, final int to)
    {
        final String text = new String(bytes, from, Math.min(to - from, 6), StandardCharsets.ISO_8859_1);
        final boolean isTrue = text.equals("1") || text.equalsIgnoreCase("true");
        batch.bits(column)[row] = (byte)(isTrue ? 1 : 0);
        return isTrue || text.equals("0") || text.equalsIgnoreCase("false");
    }

    private boolean putTimestamp(final int column, final int row, final byte[] bytes, final int from, final int to)
    {
        if (putLong(column, row, bytes, from, to))
        {
            return true;
        }
        final boolean isInstant = instant.parse(bytes, from, to);
        batch.longs(column)[row] = instant.epochNs();
        return isInstant;
    }
}
