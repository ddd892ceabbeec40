package dev.millrace.adapter.file.parquet.write;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Encodes rows of a batch as records of a log: the length and checksum of the body, the number of rows, and the values
 * of each column. An optional column begins with a byte: 1 if bits for null follow. Confined to one thread.
 */
public final class RowLogEncoder
{
    static final int HEAD_BYTES = 2 * Integer.BYTES;
    /** Largest size of a batch. */
    static final int MAX_BYTES = 1 << 30;
    /** Largest size of a record of several rows; pages and row groups grow by whole records. */
    private static final int SEVERAL_ROWS_BYTES = 1 << 22;
    private static final int INITIAL_BYTES = 1 << 14;
    private static final List<byte[]> KINDS = List.of("INSERT", "DELETE", "UPDATE").stream()
        .map(each -> each.getBytes(StandardCharsets.US_ASCII)).toList();

    private final boolean hasTime;
    private final boolean hasKind;
    private final int decimalScale;
    private final boolean[] nulls = new boolean[EventBatch.CAPACITY];
    private final CRC32C checksum = new CRC32C();
    private ByteBuffer bytes = ByteBuffer.allocate(INITIAL_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    /**
     * Creates an encoder.
     *
     * @param hasTime      whether the first column is the time of the row
     * @param hasKind      whether the next column is the kind of the row
     * @param decimalScale digits after the point of decimals
     */
    public RowLogEncoder(final boolean hasTime, final boolean hasKind, final int decimalScale)
    {
        this.hasTime = hasTime;
        this.hasKind = hasKind;
        this.decimalScale = decimalScale;
    }

    /** Whether a decimal fits its column. */
    public static boolean fits(final BigDecimal value, final int decimalScale)
    {
        final BigDecimal shortest = value.stripTrailingZeros();
        return value.signum() == 0 || shortest.scale() <= decimalScale &&
            (long)shortest.precision() - shortest.scale() <= ParquetColumn.DECIMAL_DIGITS - decimalScale;
    }

    /**
     * Encodes rows.
     *
     * @param columns of the batch
     * @param rows    of the batch; their decimals fit
     * @return the records, valid until the next call
     * @throws IllegalArgumentException if they need more than a gigabyte
     */
    public ByteBuffer encode(final EventBatch batch, final int[] columns, final int[] rows, final int count)
    {
        bytes.clear();
        record(batch, columns, rows, count);
        return bytes.flip();
    }

    private void record(final EventBatch batch, final int[] columns, final int[] rows, final int count)
    {
        final int begin = bytes.position();
        room(HEAD_BYTES + Integer.BYTES);
        bytes.position(begin + HEAD_BYTES).putInt(count);
        putColumns(batch, columns, rows, count);
        final int length = bytes.position() - begin - HEAD_BYTES;
        if (length > SEVERAL_ROWS_BYTES && count > 1)
        {
            bytes.position(begin);
            record(batch, columns, Arrays.copyOf(rows, count / 2), count / 2);
            record(batch, columns, Arrays.copyOfRange(rows, count / 2, count), count - count / 2);
            return;
        }
        checksum.reset();
        checksum.update(bytes.array(), begin + HEAD_BYTES, length);
        bytes.putInt(begin, length).putInt(begin + Integer.BYTES, (int)checksum.getValue());
    }

    private void putColumns(final EventBatch batch, final int[] columns, final int[] rows, final int count)
    {
        if (hasTime)
        {
            room(count * Long.BYTES);
            for (int i = 0; i < count; i++)
            {
                bytes.putLong(batch.timestampNs(rows[i]));
            }
        }
        if (hasKind)
        {
            for (int i = 0; i < count; i++)
            {
                put(KINDS.get(batch.kind(rows[i])));
            }
        }
        for (final int column : columns)
        {
            putNulls(batch, column, rows, count);
            putValues(batch, column, rows, count);
        }
    }

    private void room(final int more)
    {
        if (bytes.remaining() < more)
        {
            final long needed = (long)bytes.position() + more;
            if (needed > MAX_BYTES)
            {
                throw new IllegalArgumentException("bytes=" + needed + " most=" + MAX_BYTES);
            }
            bytes = ByteBuffer.allocate((int)Math.min(MAX_BYTES, Math.max(2L * bytes.capacity(), needed)))
                .order(ByteOrder.LITTLE_ENDIAN).put(bytes.flip());
        }
    }

    private void put(final byte[] value)
    {
        room(Integer.BYTES + value.length);
        bytes.putInt(value.length).put(value);
    }

    private void putNulls(final EventBatch batch, final int column, final int[] rows, final int count)
    {
        final byte[] bits = new byte[count + 7 >> 3];
        boolean hasNulls = false;
        for (int i = 0; i < count; i++)
        {
            nulls[i] = batch.isNull(column, rows[i]);
            hasNulls |= nulls[i];
            bits[i >> 3] |= (byte)(nulls[i] ? 1 << (i & 7) : 0);
        }
        room(1 + bits.length);
        bytes.put((byte)(hasNulls ? 1 : 0));
        if (hasNulls)
        {
            bytes.put(bits);
        }
    }

    private void putValues(final EventBatch batch, final int column, final int[] rows, final int count)
    {
        final CqlType type = batch.schema().type().properties().get(column).type();
        room(count * Long.BYTES);
        for (int i = 0; i < count; i++)
        {
            if (nulls[i])
            {
                continue;
            }
            final int row = rows[i];
            switch (type)
            {
                case INT -> bytes.putInt(batch.ints(column)[row]);
                case BIGINT, INTERVAL, TIMESTAMP -> bytes.putLong(batch.longs(column)[row]);
                case FLOAT -> bytes.putFloat(batch.floats(column)[row]);
                case DOUBLE -> bytes.putDouble(batch.doubles(column)[row]);
                case BOOLEAN -> bytes.put(batch.bits(column)[row]);
                case CHAR -> putText(batch, column, row);
                case BYTE -> put((byte[])batch.references(column)[row]);
                case BIGDECIMAL -> put(decimal((BigDecimal)batch.references(column)[row]));
                default -> throw new IllegalStateException("no column has the type " + type);
            }
        }
    }

    private void putText(final EventBatch batch, final int column, final int row)
    {
        final int length = batch.texts(column).length(row);
        room(Integer.BYTES + length);
        bytes.putInt(length);
        batch.texts(column).copy(row, bytes.array(), bytes.position());
        bytes.position(bytes.position() + length);
    }

    private byte[] decimal(final BigDecimal value)
    {
        final BigInteger unscaled = value.setScale(decimalScale).unscaledValue();
        final byte[] shortest = unscaled.toByteArray();
        final byte[] padded = new byte[ParquetColumn.DECIMAL_BYTES];
        Arrays.fill(padded, (byte)(unscaled.signum() < 0 ? -1 : 0));
        System.arraycopy(shortest, 0, padded, padded.length - shortest.length, shortest.length);
        return padded;
    }
}
