package dev.millrace.adapter.loadgen;

import dev.millrace.adapter.loadgen.text.AsciiNumberParser;
import dev.millrace.api.event.CqlType;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * Converts fields of text to the types of properties other than char, and writes them to the current row of a
 * {@link BatchAssembler}. Not thread-safe. Allocates only for booleans, numbers of unusual length and timestamps
 * written as text.
 */
final class FieldParser
{
    private final BatchAssembler out;
    private final AsciiNumberParser number = new AsciiNumberParser();

    FieldParser(final BatchAssembler out)
    {
        this.out = out;
    }

    /**
     * Writes the value of a field that is not empty.
     *
     * @param type   of the property
     * @param column of the batch
     * @return false when the field is not a value of the type
     */
    boolean put(final CqlType type, final int column, final byte[] bytes, final int from, final int to)
    {
        return switch (type)
        {
            case DOUBLE, FLOAT -> putFloating(type, column, bytes, from, to);
            case INT -> putInt(column, bytes, from, to);
            case BOOLEAN -> putBoolean(column, bytes, from, to);
            case TIMESTAMP -> putTimestamp(column, bytes, from, to);
            default -> putLong(column, bytes, from, to);
        };
    }

    /** The reason for which the row of a field that is not a value of the type is rejected. */
    static InputRejectReason refusal(final CqlType type)
    {
        return type.isNumeric() || type == CqlType.INTERVAL ? InputRejectReason.NOT_A_NUMBER :
            InputRejectReason.BAD_VALUE;
    }

    private boolean putFloating(
        final CqlType type, final int column, final byte[] bytes, final int from, final int to)
    {
        if (!number.parseDouble(bytes, from, to))
        {
            return false;
        }
        if (type == CqlType.FLOAT)
        {
            return putFloat(column, bytes, from, to);
        }
        out.batch.doubles(column)[out.row] = number.floating();
        return true;
    }

    /** Rounds once, directly from the text: rounding to double first could return an adjacent value. */
    private boolean putFloat(final int column, final byte[] bytes, final int from, final int to)
    {
        final double parsed = number.floating();
        final float value = parsed == (float)parsed ? (float)parsed :
            Float.parseFloat(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
        out.batch.floats(column)[out.row] = value;
        return Float.isFinite(value);
    }

    private boolean putInt(final int column, final byte[] bytes, final int from, final int to)
    {
        if (!number.parseLong(bytes, from, to) || number.integer() != (int)number.integer())
        {
            return false;
        }
        out.batch.ints(column)[out.row] = (int)number.integer();
        return true;
    }

    private boolean putLong(final int column, final byte[] bytes, final int from, final int to)
    {
        if (!number.parseLong(bytes, from, to))
        {
            return false;
        }
        out.batch.longs(column)[out.row] = number.integer();
        return true;
    }

    private boolean putBoolean(final int column, final byte[] bytes, final int from, final int to)
    {
        final String text = new String(bytes, from, Math.min(to - from, 6), StandardCharsets.ISO_8859_1);
        final boolean isTrue = text.equals("1") || text.equalsIgnoreCase("true");
        out.batch.bits(column)[out.row] = (byte)(isTrue ? 1 : 0);
        return isTrue || text.equals("0") || text.equalsIgnoreCase("false");
    }

    private boolean putTimestamp(final int column, final byte[] bytes, final int from, final int to)
    {
        if (putLong(column, bytes, from, to))
        {
            return true;
        }
        try
        {
            final Instant instant = Instant.parse(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
            out.batch.longs(column)[out.row] = Math.addExact(
                Math.multiplyExact(instant.getEpochSecond(), TimeUnit.SECONDS.toNanos(1)), instant.getNano());
            return true;
        }
        catch (final DateTimeException | ArithmeticException notAnInstant)
        {
            return false;
        }
    }
}
