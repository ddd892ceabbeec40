package dev.millrace.adapter.common.decode;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.internal.FieldParser;
import dev.millrace.api.internal.Utf8Validator;
import dev.millrace.api.string.Utf8;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.stream.IntStream;

/**
 * Writes values given as UTF-8 text to a batch. Confined to one thread. Allocates only for decimals, bytes, booleans,
 * unusual numbers and rejected values.
 */
public final class RowWriter
{
    private static final int MAX_DECIMAL_CHARS = 1_000;
    private static final int SHOWN_BYTES = 80;

    private final EventBatch batch;
    private final FieldParser fields;
    private final EventProperty[] properties;
    private final CqlType[] types;
    private final int[] readColumns;
    private final int[] absentColumns;

    /**
     * Creates a writer.
     *
     * @param batch   of the caller, which sends and clears it
     * @param columns that are read, as {@link ColumnNames#of} returns them; the others are null
     */
    public RowWriter(final EventBatch batch, final int[] columns)
    {
        this.batch = batch;
        fields = new FieldParser(batch);
        final BatchSchema schema = batch.schema();
        properties = schema.type().properties().toArray(EventProperty[]::new);
        types = schema.type().properties().stream().map(EventProperty::type).toArray(CqlType[]::new);
        readColumns = IntStream.of(columns).filter(column -> column != ColumnNames.SKIPPED).toArray();
        absentColumns = IntStream.range(0, types.length)
            .filter(column -> IntStream.of(readColumns).noneMatch(read -> read == column)).toArray();
    }

    /** Begins a row: the columns that no field fills are null. */
    public void begin(final int row)
    {
        for (final int column : absentColumns)
        {
            batch.setNull(column, row);
        }
    }

    /** Clears the nulls of a row that is not sent. */
    public void abandon(final int row)
    {
        for (final int column : readColumns)
        {
            batch.clearNull(column, row);
        }
    }

    /** A property of the event type. */
    public EventProperty property(final int column)
    {
        return properties[column];
    }

    int[] readColumns()
    {
        return readColumns;
    }

    /** Sets a value to null. */
    public void setNull(final int column, final int row)
    {
        batch.setNull(column, row);
    }

    /**
     * Writes a value that is not empty.
     *
     * @return {@code null}, or why it cannot be written
     */
    public RejectReason put(final int column, final int row, final byte[] bytes, final int from, final int to)
    {
        final CqlType type = types[column];
        return switch (type)
        {
            case CHAR -> putText(column, row, bytes, from, to);
            case BIGDECIMAL -> putDecimal(column, row, bytes, from, to);
            case BYTE -> putBytes(column, row, bytes, from, to);
            case DOUBLE, FLOAT -> fields.put(type, column, row, bytes, from, to) ||
                putSpecial(type, column, row, bytes, from, to) ? null : RejectReason.WRONG_TYPE;
            default -> fields.put(type, column, row, bytes, from, to) ? null : RejectReason.WRONG_TYPE;
        };
    }

    private RejectReason putText(final int column, final int row, final byte[] bytes, final int from, final int to)
    {
        final int length = to - from;
        final int lengthChars = properties[column].lengthChars();
        if (length <= Math.min(Long.BYTES, lengthChars))
        {
            final long head = Utf8.head(bytes, from, length);
            if ((head & Utf8Validator.NON_ASCII) == 0 && Utf8.isHead(head, length))
            {
                batch.texts(column).writeBytes();
                batch.texts(column).setHead(row, head, length);
                return null;
            }
        }
        final int chars = Utf8Validator.length(bytes, from, to);
        if (chars == Utf8Validator.INVALID)
        {
            return RejectReason.INVALID_BYTES;
        }
        if (chars > lengthChars)
        {
            return RejectReason.TEXT_TOO_LONG;
        }
        batch.texts(column).set(row, bytes, from, length);
        return null;
    }

    /** The numbers that have no digits, as the file sinks write them. */
    private boolean putSpecial(final CqlType type, final int column, final int row, final byte[] bytes, final int from,
        final int to)
    {
        final double value = switch (text(bytes, from, Math.min(to, from + 10)))
        {
            case "NaN" -> Double.NaN;
            case "Infinity" -> Double.POSITIVE_INFINITY;
            case "-Infinity" -> Double.NEGATIVE_INFINITY;
            default -> 0;
        };
        if (value == 0)
        {
            return false;
        }
        if (type == CqlType.FLOAT)
        {
            batch.floats(column)[row] = (float)value;
        }
        else
        {
            batch.doubles(column)[row] = value;
        }
        return true;
    }

    private RejectReason putDecimal(final int column, final int row, final byte[] bytes, final int from, final int to)
    {
        try
        {
            if (to - from <= MAX_DECIMAL_CHARS)
            {
                batch.references(column)[row] = new BigDecimal(text(bytes, from, to));
                return null;
            }
        }
        catch (final NumberFormatException e)
        {
            // Reported by the result.
        }
        return RejectReason.WRONG_TYPE;
    }

    private RejectReason putBytes(final int column, final int row, final byte[] bytes, final int from, final int to)
    {
        try
        {
            batch.references(column)[row] = HexFormat.of().parseHex(text(bytes, from, to));
            return null;
        }
        catch (final IllegalArgumentException e)
        {
            return RejectReason.WRONG_TYPE;
        }
    }

    private static String text(final byte[] bytes, final int from, final int to)
    {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /** Describes a value that was not written. */
    public String describe(final int column, final byte[] bytes, final int from, final int to)
    {
        final EventProperty property = properties[column];
        return "column=" + property.name() + " type=" + property.type().cqlName() +
            (property.type() == CqlType.CHAR ? " lengthChars=" + property.lengthChars() : "") + " value=\"" +
            excerpt(bytes, from, to) + '"';
    }

    /** The first bytes as one line of plain text, for messages. */
    public static String excerpt(final byte[] bytes, final int from, final int to)
    {
        final int shown = Math.min(to - from, SHOWN_BYTES);
        final StringBuilder text = new StringBuilder(shown + 3);
        new String(bytes, from, shown, StandardCharsets.UTF_8).codePoints()
            .map(point -> Character.isISOControl(point) || point == '"' || point == 0xFFFD ? '?' : point)
            .forEach(text::appendCodePoint);
        return shown < to - from ? text.append("...").toString() : text.toString();
    }
}
