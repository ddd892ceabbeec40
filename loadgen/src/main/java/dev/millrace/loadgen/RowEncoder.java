package dev.millrace.loadgen;

import dev.millrace.adapter.loadgen.FrameWriter;
import dev.millrace.adapter.loadgen.WireType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Encodes the rows of a data file once, before anything is sent. Immutable after construction. */
final class RowEncoder
{
    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d+");
    private static final Pattern DECIMAL = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,5})?");
    private static final int MAX_TEXT_BYTES = 0xFFFF;

    private final DataFile data;
    private final List<WireType> types;
    private final boolean hasNulls;

    private RowEncoder(final DataFile data, final List<WireType> types)
    {
        this.data = data;
        this.types = List.copyOf(types);
        boolean found = false;
        for (int row = 0; row < data.rowCount() && !found; row++)
        {
            for (int column = 0; column < types.size(); column++)
            {
                found |= !types.get(column).isText() && data.field(row, column).isEmpty();
            }
        }
        hasNulls = found;
    }

    /** Creates an encoder for declared types, or for inferred types when none are declared. */
    static RowEncoder of(final DataFile data, final List<WireType> declared) throws GeneratorException
    {
        if (!declared.isEmpty() && declared.size() != data.columnCount())
        {
            throw new GeneratorException(GeneratorException.EXIT_SETTINGS, "GEN-0114 test.columnTypes does not match " +
                "the data file, file=" + data.file() + " columns=" + data.columnCount() + " types=" + declared.size() +
                "; specify one type per column");
        }
        final List<WireType> types = new ArrayList<>();
        for (int column = 0; column < data.columnCount(); column++)
        {
            final WireType type = declared.isEmpty() ? infer(data, column) : declared.get(column);
            types.add(type.isText() ? textType(data, column) : type);
        }
        return new RowEncoder(data, types);
    }

    /**
     * Creates an encoder for the types of the properties that the columns fill. A column with a field that is not of
     * its type is sent as strings, so that the server rejects only the rows of such fields.
     */
    static RowEncoder matching(final DataFile data, final List<WireType> wanted) throws GeneratorException
    {
        final List<WireType> types = new ArrayList<>();
        for (int column = 0; column < data.columnCount(); column++)
        {
            final WireType type = wanted.get(column);
            types.add(type.isText() || !canWrite(data, column, type) ? textType(data, column) : type);
        }
        return new RowEncoder(data, types);
    }

    private static boolean canWrite(final DataFile data, final int column, final WireType type)
    {
        final ByteBuffer value = ByteBuffer.allocate(Long.BYTES);
        final FrameWriter writer = new FrameWriter(value);
        try
        {
            for (int row = 0; row < data.rowCount(); row++)
            {
                write(writer, type, data.field(row, column));
                value.clear();
            }
            return true;
        }
        catch (final DateTimeException | ArithmeticException | IllegalArgumentException notOfThisType)
        {
            return false;
        }
    }

    private static WireType infer(final DataFile data, final int column)
    {
        boolean isEmpty = true;
        WireType type = WireType.INT;
        for (int row = 0; row < data.rowCount(); row++)
        {
            final String field = data.field(row, column);
            if (field.isEmpty())
            {
                continue;
            }
            isEmpty = false;
            if (!WHOLE.matcher(field).matches() || field.length() > 18)
            {
                type = WireType.DOUBLE;
                if (!DECIMAL.matcher(field).matches())
                {
                    return WireType.CHAR8;
                }
            }
            else if (type == WireType.INT && Long.parseLong(field) != (int)Long.parseLong(field))
            {
                type = WireType.BIGINT;
            }
        }
        return isEmpty ? WireType.CHAR8 : type;
    }

    private static WireType textType(final DataFile data, final int column) throws GeneratorException
    {
        int longest = 0;
        for (int row = 0; row < data.rowCount(); row++)
        {
            longest = Math.max(longest, data.field(row, column).getBytes(StandardCharsets.UTF_8).length);
        }
        if (longest > MAX_TEXT_BYTES)
        {
            throw new GeneratorException(GeneratorException.EXIT_SETTINGS, "GEN-0115 string is too long to be sent, " +
                "file=" + data.file() + " column=" + (column + 1) + " bytes=" + longest + " max=" + MAX_TEXT_BYTES +
                "; shorten it");
        }
        return longest > 0xFF ? WireType.CHAR16 : WireType.CHAR8;
    }

    List<WireType> types()
    {
        return types;
    }

    boolean hasNulls()
    {
        return hasNulls;
    }

    /** Encodes a row for a binary frame. */
    byte[] encode(final int row) throws GeneratorException
    {
        int bound = (types.size() + 7) / 8;
        for (int column = 0; column < types.size(); column++)
        {
            bound += 8 + 4 * data.field(row, column).length();
        }
        final ByteBuffer buffer = ByteBuffer.allocate(bound);
        final FrameWriter writer = new FrameWriter(buffer);
        if (hasNulls)
        {
            final byte[] bitmap = new byte[(types.size() + 7) / 8];
            for (int column = 0; column < types.size(); column++)
            {
                bitmap[column >> 3] |= (byte)(data.field(row, column).isEmpty() ? 1 << (column & 7) : 0);
            }
            writer.nulls(bitmap);
        }
        for (int column = 0; column < types.size(); column++)
        {
            try
            {
                write(writer, types.get(column), data.field(row, column));
            }
            catch (final DateTimeException | ArithmeticException | IllegalArgumentException ex)
            {
                throw new GeneratorException(GeneratorException.EXIT_SETTINGS, "GEN-0116 field does not match its " +
                    "type, file=" + data.file() + " row=" + (row + 1) + " column=" + (column + 1) + " type=" +
                    types.get(column) + " value=" + data.field(row, column) +
                    "; correct the data file or test.columnTypes", ex);
            }
        }
        final byte[] bytes = new byte[buffer.position()];
        buffer.flip().get(bytes);
        return bytes;
    }

    /** Encodes a row as a line. */
    byte[] encodeLine(final int row)
    {
        return (data.line(row) + '\n').getBytes(StandardCharsets.UTF_8);
    }

    private static void write(final FrameWriter writer, final WireType type, final String field)
    {
        final boolean isNull = field.isEmpty();
        switch (type)
        {
            case CHAR8 -> writer.char8(field);
            case CHAR16 -> writer.char16(field);
            case INT -> writer.int32(isNull ? 0 : Integer.parseInt(field));
            case BIGINT -> writer.int64(isNull ? 0 : Long.parseLong(field));
            case FLOAT -> writer.float32(isNull ? 0 : Float.parseFloat(decimal(field)));
            case DOUBLE -> writer.float64(isNull ? 0 : Double.parseDouble(decimal(field)));
            case BOOLEAN -> writer.bool(!isNull && bool(field));
            case TIMESTAMP -> writer.int64(isNull ? 0 : timestamp(field));
            default -> throw new IllegalStateException("internal error: no encoding for " + type);
        }
    }

    private static String decimal(final String field)
    {
        if (!DECIMAL.matcher(field).matches())
        {
            throw new NumberFormatException(field);
        }
        return field;
    }

    private static boolean bool(final String field)
    {
        if (field.equals("1") || field.equalsIgnoreCase("true"))
        {
            return true;
        }
        if (field.equals("0") || field.equalsIgnoreCase("false"))
        {
            return false;
        }
        throw new IllegalArgumentException(field);
    }

    private static long timestamp(final String field)
    {
        if (WHOLE.matcher(field).matches())
        {
            return Long.parseLong(field);
        }
        final Instant instant = Instant.parse(field);
        return Math.addExact(
            Math.multiplyExact(instant.getEpochSecond(), TimeUnit.SECONDS.toNanos(1)), instant.getNano());
    }
}
