package dev.millrace.network.partition;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.EventBatch;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Encodes batches as bytes, column by column, little-endian, for one {@link RowDecoder}. Not thread-safe.
 *
 * <p>For a link, the decoder reads all batches in order: a string that occurred recently gets a number and is sent as
 * that number from then on; others are sent as bytes ({@link KnownStrings}). Row kinds are not sent: streams have none.
 * For a journal, each batch can be decoded by itself: row kinds are written, and a column of strings is either one word
 * per string, if none is longer than a word, or lengths and bytes.
 */
public final class RowEncoder
{
    static final int TIMES = 1;
    static final int BASE_TIME = 2;
    static final int ORIGINS = 4;
    static final int KINDS = 8;
    static final int SEQUENCES = 16;
    /** The sequences count up from that of the first row. */
    static final int FIRST_SEQUENCE = 32;
    /** Each char column begins with its form; without this, all have the form {@link #BYTES}. */
    static final int FORMS = 64;

    /** Form of a char column: the length of each string, and its bytes. */
    static final byte BYTES = 0;
    /** Form of a char column: the bytes of each string as a word. */
    static final byte WORDS = 1;

    /** Bits of a length in each of its bytes; the highest bit is set if more follow. */
    static final int LENGTH_BITS = 7;
    static final int MORE = 1 << LENGTH_BITS;
    private static final int LENGTH_BYTES = 5;

    private final BatchSchema schema;
    private final boolean timed;
    /** The columns that are written. */
    private final int[] written;
    /** Strings that the reader knows, per char column; {@code null} when each batch is decoded by itself. */
    private final KnownStrings[] known;
    private ByteBuffer out;

    /**
     * Creates an encoder for a link.
     *
     * @param schema of the batches
     * @param timed  whether times are sent
     */
    public RowEncoder(final BatchSchema schema, final boolean timed)
    {
        this(schema, timed, new KnownStrings[schema.columnCount()], column -> true);
        for (int column = 0; column < known.length; column++)
        {
            known[column] = schema.storage(column) == ColumnStorage.TEXT ? new KnownStrings() : null;
        }
    }

    private RowEncoder(final BatchSchema schema, final boolean timed, final KnownStrings[] known,
        final IntPredicate columns)
    {
        written = IntStream.range(0, schema.columnCount()).filter(columns).toArray();
        this.schema = schema;
        this.timed = timed;
        this.known = known;
    }

    /**
     * Creates an encoder for a journal.
     *
     * @param schema  of the batches
     * @param columns which columns are written, by index; the others are not read
     */
    public static RowEncoder forJournal(final BatchSchema schema, final IntPredicate columns)
    {
        return new RowEncoder(schema, true, null, columns);
    }

    /**
     * Appends a batch.
     *
     * @param batch  at least one row
     * @param target to append to
     * @return the target, or a larger one that has all its bytes
     */
    public ByteBuffer encode(final EventBatch batch, final ByteBuffer target)
    {
        out = target.order(ByteOrder.LITTLE_ENDIAN);
        final int size = batch.size();
        ensure(3 + (1 + 3 * size) * Long.BYTES + size);
        final int times = !timed ? 0 : batch.timestampPerRow() ? TIMES : BASE_TIME;
        final boolean hasKinds = known == null && batch.hasKinds();
        final int sequences = known != null || !batch.hasSequences() ? 0 :
            isConsecutive(batch.sequences(), size) ? FIRST_SEQUENCE : SEQUENCES;
        out.put((byte)(times | (batch.hasOrigins() ? ORIGINS : 0) | (hasKinds ? KINDS : 0) | sequences |
            (known == null ? FORMS : 0)));
        out.putShort((short)size);
        if (times == TIMES)
        {
            longs(batch.timestampsNs(), size);
        }
        else if (times == BASE_TIME)
        {
            out.putLong(batch.baseTimestampNs());
        }
        if (batch.hasOrigins())
        {
            longs(batch.originsNs(), size);
        }
        if (hasKinds)
        {
            out.put(batch.kinds(), 0, size);
        }
        if (sequences != 0)
        {
            longs(batch.sequences(), sequences == SEQUENCES ? size : 1);
        }
        for (final int column : written)
        {
            column(batch, column, size);
        }
        return out;
    }

    private static boolean isConsecutive(final long[] sequences, final int size)
    {
        long different = 0;
        for (int row = 1; row < size; row++)
        {
            different |= sequences[row] - sequences[0] - row;
        }
        return different == 0;
    }

    private void ensure(final int bytes)
    {
        if (out.remaining() < bytes)
        {
            final int needed = out.position() + bytes;
            final ByteBuffer larger = ByteBuffer.allocate(Math.max(needed, out.capacity() * 2))
                .order(ByteOrder.LITTLE_ENDIAN);
            out.flip();
            larger.put(out);
            out = larger;
        }
    }

    private void longs(final long[] values, final int count)
    {
        out.asLongBuffer().put(values, 0, count);
        out.position(out.position() + count * Long.BYTES);
    }

    private void ints(final int[] values, final int count)
    {
        out.asIntBuffer().put(values, 0, count);
        out.position(out.position() + count * Integer.BYTES);
    }

    private void column(final EventBatch batch, final int column, final int size)
    {
        ensure(1 + EventBatch.CAPACITY / Byte.SIZE + size * Long.BYTES);
        final ColumnStorage storage = schema.storage(column);
        if (storage.usesNullBitmap())
        {
            out.put((byte)(batch.hasNulls(column) ? 1 : 0));
            if (batch.hasNulls(column))
            {
                longs(batch.nullBits(column), words(size));
            }
        }
        switch (storage)
        {
            case INT32 -> ints(batch.ints(column), size);
            case INT64 -> longs(batch.longs(column), size);
            case FLOAT32 ->
            {
                out.asFloatBuffer().put(batch.floats(column), 0, size);
                out.position(out.position() + size * Float.BYTES);
            }
            case FLOAT64 ->
            {
                out.asDoubleBuffer().put(batch.doubles(column), 0, size);
                out.position(out.position() + size * Double.BYTES);
            }
            case BIT -> out.put(batch.bits(column), 0, size);
            case TEXT ->
            {
                if (known == null)
                {
                    strings(batch.texts(column), size);
                }
                else
                {
                    strings(batch.texts(column), known[column], size);
                }
            }
            default -> references(batch.references(column), size);
        }
    }

    static int words(final int size)
    {
        return (size + Long.SIZE - 1) / Long.SIZE;
    }

    /**
     * Writes one number per row. {@link KnownStrings#PLAIN} is followed by a string, length first; a smaller value
     * {@code PLAIN - n} is followed by a string and assigns the number n to it, replacing a string that had this
     * number.
     */
    private void strings(final CharColumn texts, final KnownStrings strings, final int size)
    {
        for (int row = 0; row < size; row++)
        {
            final int number = texts.isNull(row) ? 0 : strings.numberOf(texts, row);
            if (number >= 0)
            {
                ensure(Integer.BYTES);
                out.putInt(number);
                continue;
            }
            final int length = texts.length(row);
            ensure(2 * Integer.BYTES + length);
            out.putInt(number).putInt(length);
            texts.copy(row, out.array(), out.arrayOffset() + out.position());
            out.position(out.position() + length);
        }
    }

    /**
     * Writes words where they represent all strings, or else the length of each string in bytes, seven bits per byte,
     * and its bytes. Null is an empty string.
     */
    private void strings(final CharColumn texts, final int size)
    {
        if (texts.areHeads())
        {
            out.put(WORDS);
            longs(texts.heads(), size);
            return;
        }
        out.put(BYTES);
        for (int row = 0; row < size; row++)
        {
            final int length = texts.isNull(row) ? 0 : texts.length(row);
            ensure(LENGTH_BYTES + length);
            int rest = length;
            while (rest >= MORE)
            {
                out.put((byte)(rest | MORE));
                rest >>>= LENGTH_BITS;
            }
            out.put((byte)rest);
            if (length > 0)
            {
                texts.copy(row, out.array(), out.arrayOffset() + out.position());
                out.position(out.position() + length);
            }
        }
    }

    private void references(final Object[] values, final int size)
    {
        for (int row = 0; row < size; row++)
        {
            final byte[] bytes = bytes(values[row]);
            ensure(2 * Integer.BYTES + (bytes == null ? 0 : bytes.length));
            out.putInt(bytes == null ? -1 : bytes.length);
            if (values[row] instanceof BigDecimal decimal)
            {
                out.putInt(decimal.scale());
            }
            if (bytes != null)
            {
                out.put(bytes);
            }
        }
    }

    private static byte[] bytes(final Object value)
    {
        if (value == null)
        {
            return null;
        }
        return value instanceof BigDecimal decimal ? decimal.unscaledValue().toByteArray() :
            value instanceof byte[] bytes ? bytes : value.toString().getBytes(StandardCharsets.UTF_8);
    }
}
