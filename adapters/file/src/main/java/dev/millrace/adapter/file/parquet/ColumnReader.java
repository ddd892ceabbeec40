package dev.millrace.adapter.file.parquet;

import dev.millrace.adapter.common.decode.RejectReason;
import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.apache.parquet.column.values.ValuesReader;

/**
 * The next values of a column of a file, which are decoded together and written to the batch row by row. Confined to
 * one thread.
 */
final class ColumnReader
{
    private static final long DAY_NS = TimeUnit.DAYS.toNanos(1);
    /** Julian day of the epoch. */
    private static final int EPOCH_DAY = 2_440_588;
    private static final int OLD_TIME_BYTES = 12;
    private static final int MAX_DECIMAL_BYTES = 416;

    private final String name;
    private final Conversion conversion;
    private final CqlType type;
    private final int column;
    private final EventBatch batch;
    private final RowWriter writer;
    private final boolean[] nulls = new boolean[EventBatch.CAPACITY];
    private final long[] longs;
    private final double[] doubles;
    private final ByteBuffer[] binaries;
    private PageReader pages;
    /** For the copies of bytes in the batch. */
    private PageMemory.Share copies;

    /** @param column of the batch */
    ColumnReader(final String name, final Conversion conversion, final int column, final EventBatch batch,
        final RowWriter writer)
    {
        this.name = name;
        this.conversion = conversion;
        this.column = column;
        this.batch = batch;
        this.writer = writer;
        type = batch.schema().type().properties().get(column).type();
        final Conversion.Kind kind = conversion.kind();
        final boolean isReal = kind == Conversion.Kind.FLOAT || kind == Conversion.Kind.DOUBLE;
        doubles = isReal ? new double[EventBatch.CAPACITY] : null;
        final boolean isBinary = switch (kind)
        {
            case TEXT, BYTES, BYTES_DECIMAL, OLD_TIME -> true;
            default -> false;
        };
        binaries = isBinary ? new ByteBuffer[EventBatch.CAPACITY] : null;
        longs = isReal || isBinary ? null : new long[EventBatch.CAPACITY];
    }

    String name()
    {
        return name;
    }

    /** Continues with another row group. */
    void open(final PageReader next, final PageMemory memory)
    {
        pages = next;
        copies = memory.new Share(name);
    }

    PageReader pages()
    {
        return pages;
    }

    /** Reads the next page, if all values of the current one were written; returns how many it has left. */
    int ensurePage() throws IOException
    {
        if (pages.left() == 0 && binaries != null)
        {
            // Otherwise they would keep the page in memory.
            Arrays.fill(binaries, null);
        }
        pages.ensurePage();
        return pages.left();
    }

    /** Decodes values, which the current page contains. */
    void load(final int count) throws IOException
    {
        final ValuesReader values = pages.values();
        switch (conversion.kind())
        {
            case INT, DATE, INT_DECIMAL ->
            {
                for (int i = 0; i < count; i++)
                {
                    nulls[i] = pages.isNull();
                    longs[i] = nulls[i] ? 0 : values.readInteger();
                }
            }
            case LONG, TIME, LONG_DECIMAL ->
            {
                for (int i = 0; i < count; i++)
                {
                    nulls[i] = pages.isNull();
                    longs[i] = nulls[i] ? 0 : values.readLong();
                }
            }
            case DOUBLE ->
            {
                for (int i = 0; i < count; i++)
                {
                    nulls[i] = pages.isNull();
                    doubles[i] = nulls[i] ? 0 : values.readDouble();
                }
            }
            default -> loadOther(values, count);
        }
    }

    private void loadOther(final ValuesReader values, final int count) throws IOException
    {
        long bytes = 0;
        for (int i = 0; i < count; i++)
        {
            nulls[i] = pages.isNull();
            if (nulls[i])
            {
                continue;
            }
            switch (conversion.kind())
            {
                case FLOAT -> doubles[i] = values.readFloat();
                case BOOLEAN -> longs[i] = values.readBoolean() ? 1 : 0;
                default ->
                {
                    binaries[i] = values.readBytes().toByteBuffer();
                    bytes += binaries[i].remaining();
                }
            }
        }
        copies.clear();
        copies.take(type == CqlType.BYTE ? bytes : 0);
    }

    /**
     * Writes a decoded value to a row of the batch.
     *
     * @return {@code null}, or why the row is rejected
     */
    RejectReason put(final int index, final int row)
    {
        if (nulls[index])
        {
            batch.setNull(column, row);
            return null;
        }
        switch (conversion.kind())
        {
            case FLOAT, DOUBLE -> putReal(doubles[index], row);
            case BOOLEAN -> batch.bits(column)[row] = (byte)longs[index];
            case INT, LONG -> putInteger(longs[index], row);
            case INT_DECIMAL, LONG_DECIMAL ->
                batch.references(column)[row] = BigDecimal.valueOf(longs[index], (int)conversion.scale());
            case TIME ->
            {
                return putTime(longs[index], conversion.scale(), row);
            }
            case DATE ->
            {
                return putTime(longs[index], DAY_NS, row);
            }
            default ->
            {
                return putBinary(binaries[index], row);
            }
        }
        return null;
    }

    private void putReal(final double value, final int row)
    {
        if (type == CqlType.FLOAT)
        {
            batch.floats(column)[row] = (float)value;
        }
        else
        {
            batch.doubles(column)[row] = value;
        }
    }

    private void putInteger(final long value, final int row)
    {
        switch (type)
        {
            case INT -> batch.ints(column)[row] = (int)value;
            case FLOAT -> batch.floats(column)[row] = value;
            case DOUBLE -> batch.doubles(column)[row] = value;
            default -> batch.longs(column)[row] = value;
        }
    }

    private RejectReason putTime(final long value, final long unitNs, final int row)
    {
        final long high = Math.multiplyHigh(value, unitNs);
        final long low = value * unitNs;
        batch.longs(column)[row] = low;
        return high == low >> 63 ? null : RejectReason.WRONG_TYPE;
    }

    private RejectReason putBinary(final ByteBuffer bytes, final int row)
    {
        final int length = bytes.remaining();
        final int from = bytes.arrayOffset() + bytes.position();
        switch (conversion.kind())
        {
            case OLD_TIME ->
            {
                return length == OLD_TIME_BYTES ? putOldTime(bytes.order(ByteOrder.LITTLE_ENDIAN), row) :
                    RejectReason.WRONG_TYPE;
            }
            case BYTES_DECIMAL ->
            {
                if (length == 0 || length > MAX_DECIMAL_BYTES)
                {
                    return RejectReason.WRONG_TYPE;
                }
                batch.references(column)[row] =
                    new BigDecimal(new BigInteger(bytes.array(), from, length), (int)conversion.scale());
                return null;
            }
            default ->
            {
                if (type == CqlType.CHAR)
                {
                    return writer.put(column, row, bytes.array(), from, from + length);
                }
                batch.references(column)[row] = Arrays.copyOfRange(bytes.array(), from, from + length);
                return null;
            }
        }
    }

    private RejectReason putOldTime(final ByteBuffer bytes, final int row)
    {
        final long ofDayNs = bytes.getLong(bytes.position());
        final long day = bytes.getInt(bytes.position() + Long.BYTES) - EPOCH_DAY;
        final RejectReason refusal = putTime(day, DAY_NS, row);
        final long beginNs = batch.longs(column)[row];
        batch.longs(column)[row] = beginNs + ofDayNs;
        return refusal != null || ofDayNs < 0 || ofDayNs >= DAY_NS || beginNs > Long.MAX_VALUE - ofDayNs ?
            RejectReason.WRONG_TYPE : null;
    }

    /** Describes a value that was not written. */
    String describe(final int index)
    {
        if (longs != null)
        {
            return "column=" + name + " type=" + type.cqlName() + " value=" + longs[index];
        }
        final ByteBuffer bytes = binaries[index];
        final int from = bytes.arrayOffset() + bytes.position();
        return writer.describe(column, bytes.array(), from, from + bytes.remaining());
    }
}
