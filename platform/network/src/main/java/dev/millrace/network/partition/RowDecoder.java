package dev.millrace.network.partition;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Decodes the batches of a {@link RowEncoder}: those for a link in order, storing the strings that it has assigned
 * numbers to; those of a journal in any order. Not thread-safe.
 *
 * <p>Failure: malformed bytes cause {@link IllegalArgumentException} or {@link java.nio.BufferUnderflowException}; the
 * decoder must not be used afterwards.
 */
public final class RowDecoder
{
    private static final int FEWEST = 256;
    private static final byte[] NONE = new byte[0];

    private final BatchSchema schema;
    private final EventBatch batch;
    /** The columns that were written. */
    private final int[] written;
    /** Strings by number, per char column; {@code null} for batches of a journal. */
    private final byte[][][] known;
    private byte[] text = NONE;
    private ByteBuffer in;

    /**
     * Creates a decoder for a link.
     *
     * @param schema of the batches
     */
    public RowDecoder(final BatchSchema schema)
    {
        this(schema, new byte[schema.columnCount()][][], column -> true);
        for (int column = 0; column < known.length; column++)
        {
            known[column] = schema.storage(column) == ColumnStorage.TEXT ? new byte[FEWEST][] : null;
        }
    }

    private RowDecoder(final BatchSchema schema, final byte[][][] known, final IntPredicate columns)
    {
        written = IntStream.range(0, schema.columnCount()).filter(columns).toArray();
        this.schema = schema;
        this.known = known;
        batch = new EventBatch(schema);
    }

    /**
     * Creates a decoder for a journal.
     *
     * @param schema  of the batches
     * @param columns which columns were written, by index; the others are null, or 0 where a column has no nulls
     */
    public static RowDecoder forJournal(final BatchSchema schema, final IntPredicate columns)
    {
        return new RowDecoder(schema, null, columns);
    }

    /** Number of the rows of a batch, which is not decoded; the position of its bytes remains. */
    public static int rowCount(final ByteBuffer source)
    {
        return source.order(ByteOrder.LITTLE_ENDIAN).getShort(source.position() + 1);
    }

    /**
     * Decodes a batch.
     *
     * @param source positioned at the first byte of the batch, and after its last byte on return
     * @return a batch of this object, valid until the next call
     */
    public EventBatch decode(final ByteBuffer source)
    {
        in = source.order(ByteOrder.LITTLE_ENDIAN);
        batch.clear();
        final int flags = in.get();
        final int size = in.getShort();
        if (size < 1 || size > EventBatch.CAPACITY)
        {
            throw new IllegalArgumentException("not the size of a batch, size=" + size);
        }
        if ((flags & RowEncoder.TIMES) != 0)
        {
            longs(batch.useTimestampPerRow(), size);
        }
        else if ((flags & RowEncoder.BASE_TIME) != 0)
        {
            batch.baseTimestampNs(in.getLong());
        }
        if ((flags & RowEncoder.ORIGINS) != 0)
        {
            longs(batch.useOrigins(), size);
        }
        if ((flags & RowEncoder.KINDS) != 0)
        {
            in.get(batch.useKinds(), 0, size);
        }
        sequences(flags, size);
        batch.size(size);
        final boolean hasForms = (flags & RowEncoder.FORMS) != 0;
        for (final int column : written)
        {
            column(column, size, hasForms);
        }
        return batch;
    }

    private void sequences(final int flags, final int size)
    {
        if ((flags & RowEncoder.SEQUENCES) != 0)
        {
            longs(batch.useSequences(), size);
        }
        else if ((flags & RowEncoder.FIRST_SEQUENCE) != 0)
        {
            final long[] sequences = batch.useSequences();
            sequences[0] = in.getLong();
            for (int row = 1; row < size; row++)
            {
                sequences[row] = sequences[0] + row;
            }
        }
    }

    private void longs(final long[] values, final int count)
    {
        in.asLongBuffer().get(values, 0, count);
        in.position(in.position() + count * Long.BYTES);
    }

    private void column(final int column, final int size, final boolean hasForms)
    {
        final ColumnStorage storage = schema.storage(column);
        if (storage.usesNullBitmap() && in.get() != 0)
        {
            // Setting any row marks the bitmap as used; then it is read as a whole.
            batch.setNull(column, 0);
            longs(batch.nullBits(column), RowEncoder.words(size));
        }
        switch (storage)
        {
            case INT32 ->
            {
                in.asIntBuffer().get(batch.ints(column), 0, size);
                in.position(in.position() + size * Integer.BYTES);
            }
            case INT64 -> longs(batch.longs(column), size);
            case FLOAT32 ->
            {
                in.asFloatBuffer().get(batch.floats(column), 0, size);
                in.position(in.position() + size * Float.BYTES);
            }
            case FLOAT64 ->
            {
                in.asDoubleBuffer().get(batch.doubles(column), 0, size);
                in.position(in.position() + size * Double.BYTES);
            }
            case BIT -> in.get(batch.bits(column), 0, size);
            case TEXT ->
            {
                if (hasForms && in.get() == RowEncoder.WORDS)
                {
                    words(batch.texts(column), size);
                }
                else
                {
                    strings(batch.texts(column), column, size);
                }
            }
            default -> references(column, size);
        }
    }

    private void words(final CharColumn texts, final int size)
    {
        texts.writeBytes();
        final long[] words = texts.heads();
        longs(words, size);
        final int[] lengths = texts.lengths();
        for (int row = 0; row < size; row++)
        {
            lengths[row] = Long.BYTES - Long.numberOfLeadingZeros(words[row]) / Byte.SIZE;
        }
        texts.wroteHeads(size);
    }

    private void strings(final CharColumn texts, final int column, final int size)
    {
        if (known == null)
        {
            strings(texts, size);
            return;
        }
        for (int row = 0; row < size; row++)
        {
            final int number = in.getInt();
            final byte[] string = number == 0 ? NONE : number > 0 ? known[column][number] : fresh(column, number);
            if (string == null)
            {
                throw new IllegalArgumentException("a number without string, number=" + number);
            }
            texts.set(row, string, 0, string.length);
        }
    }

    private void strings(final CharColumn texts, final int size)
    {
        for (int row = 0; row < size; row++)
        {
            int length = 0;
            int next = RowEncoder.MORE;
            for (int shift = 0; (next & RowEncoder.MORE) != 0; shift += RowEncoder.LENGTH_BITS)
            {
                next = in.get();
                length |= (next & RowEncoder.MORE - 1) << shift;
            }
            if (length < 0 || length > in.remaining())
            {
                throw new IllegalArgumentException("not the length of a value, length=" + length);
            }
            if (in.hasArray())
            {
                texts.set(row, in.array(), in.arrayOffset() + in.position(), length);
                in.position(in.position() + length);
                continue;
            }
            text = length > text.length ? new byte[length] : text;
            in.get(text, 0, length);
            texts.set(row, text, 0, length);
        }
    }

    private byte[] fresh(final int column, final int number)
    {
        final byte[] string = bytes(in.getInt());
        if (number != KnownStrings.PLAIN)
        {
            remember(column, KnownStrings.PLAIN - number, string);
        }
        return string;
    }

    private void remember(final int column, final int number, final byte[] string)
    {
        if (number > KnownStrings.MOST)
        {
            throw new IllegalArgumentException("not the number of a string, number=" + number);
        }
        if (number >= known[column].length)
        {
            known[column] = Arrays.copyOf(known[column], Math.max(number + 1, known[column].length * 2));
        }
        known[column][number] = string;
    }

    private byte[] bytes(final int length)
    {
        if (length < 0 || length > in.remaining())
        {
            throw new IllegalArgumentException("not the length of a value, length=" + length);
        }
        final byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    private void references(final int column, final int size)
    {
        final Object[] values = batch.references(column);
        final CqlType type = schema.type().properties().get(column).type();
        for (int row = 0; row < size; row++)
        {
            final int length = in.getInt();
            if (length < 0)
            {
                values[row] = null;
            }
            else if (type == CqlType.BIGDECIMAL)
            {
                final int scale = in.getInt();
                values[row] = new BigDecimal(new BigInteger(bytes(length)), scale);
            }
            else
            {
                final byte[] bytes = bytes(length);
                values[row] = type == CqlType.BYTE ? bytes : new String(bytes, StandardCharsets.UTF_8);
            }
        }
    }
}
