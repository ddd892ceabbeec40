package dev.millrace.network.partition;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.Dictionary;
import dev.millrace.api.event.EventBatch;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads what one {@link RowEncoder} has written, in order. Strings get the ids of this side's dictionaries. Used by one
 * thread.
 *
 * <p>Failure: bytes that no encoder writes end in {@link IllegalArgumentException} or {@link
 * java.nio.BufferUnderflowException}; the decoder cannot go on then.
 */
public final class RowDecoder
{
    private final BatchSchema schema;
    private final EventBatch batch;
    private final EventBatch kept;
    /** Of each char column this side's ids by those of the other side; 0 = not known yet. */
    private final int[][] idOf;
    private final int[] fresh = new int[EventBatch.CAPACITY];
    private ByteBuffer in;
    private int rowsDropped;
    /** Which one had no room for a text of the last batch that lost rows. */
    private Dictionary full;

    /**
     * Makes it.
     *
     * @param schema of the batches
     */
    public RowDecoder(final BatchSchema schema)
    {
        this.schema = schema;
        batch = new EventBatch(schema);
        kept = new EventBatch(schema);
        idOf = new int[schema.columnCount()][];
        for (int column = 0; column < idOf.length; column++)
        {
            idOf[column] = schema.storage(column) == ColumnStorage.DICTIONARY ? new int[256] : null;
        }
    }

    /**
     * Reads a batch.
     *
     * @param source stands at its first byte, and behind it afterwards
     * @return a batch of this object, valid until the next call; without rows when none could be kept
     */
    public EventBatch decode(final ByteBuffer source)
    {
        in = source.order(ByteOrder.LITTLE_ENDIAN);
        batch.clear();
        rowsDropped = 0;
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
        batch.size(size);
        for (int column = 0; column < idOf.length; column++)
        {
            column(column, size);
        }
        return anyFull() ? keepOthers() : batch;
    }

    /**
     * Rows of the last batch that were left out, because a dictionary of this side is full.
     *
     * @return how many
     */
    public int rowsDropped()
    {
        return rowsDropped;
    }

    /**
     * The dictionary that had no room for one of {@link #rowsDropped()}.
     *
     * @return {@code null} while no row was dropped
     */
    public Dictionary full()
    {
        return full;
    }

    private void longs(final long[] values, final int count)
    {
        in.asLongBuffer().get(values, 0, count);
        in.position(in.position() + count * Long.BYTES);
    }

    private void column(final int column, final int size)
    {
        final ColumnStorage storage = schema.storage(column);
        if (storage.usesNullBitmap() && in.get() != 0)
        {
            // Any row marks the bitmap as used; then it is read as a whole.
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
            case DICTIONARY -> texts(column, size);
            default -> references(column, size);
        }
    }

    private void texts(final int column, final int size)
    {
        final int count = in.getShort();
        if (count < 0 || count > size)
        {
            throw new IllegalArgumentException("more texts than rows, texts=" + count + " rows=" + size);
        }
        int places = 0;
        for (int i = 0; i < count; i++)
        {
            final int theirs = in.getInt();
            final byte[] text = bytes(in.getInt());
            final int ours = schema.dictionary(column).idOf(text, 0, text.length);
            if (theirs >= RowEncoder.MAX_KNOWN)
            {
                fresh[places++] = ours;
            }
            else
            {
                remember(column, theirs, ours);
            }
        }
        final int[] known = idOf[column];
        final int[] ids = batch.ints(column);
        for (int row = 0; row < size; row++)
        {
            final int theirs = in.getInt();
            ids[row] = theirs == Dictionary.NULL_ID ? Dictionary.NULL_ID :
                theirs > 0 ? known[theirs] : fresh[-theirs - 1];
        }
    }

    private void remember(final int column, final int theirs, final int ours)
    {
        if (theirs >= idOf[column].length)
        {
            idOf[column] = Arrays.copyOf(idOf[column], Math.max(theirs + 1, idOf[column].length * 2));
        }
        idOf[column][theirs] = ours;
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

    private boolean anyFull()
    {
        for (int column = 0; column < idOf.length; column++)
        {
            if (idOf[column] != null && schema.dictionary(column).size() >= schema.dictionary(column).maxEntries())
            {
                return true;
            }
        }
        return false;
    }

    private EventBatch keepOthers()
    {
        kept.clear();
        int size = 0;
        for (int row = 0; row < batch.size(); row++)
        {
            if (hasRoom(row))
            {
                kept.copyRow(batch, row, size++);
            }
        }
        kept.size(size);
        rowsDropped = batch.size() - size;
        return kept;
    }

    private boolean hasRoom(final int row)
    {
        for (int column = 0; column < idOf.length; column++)
        {
            if (idOf[column] != null && batch.ints(column)[row] == Dictionary.FULL)
            {
                full = batch.schema().dictionary(column);
                return false;
            }
        }
        return true;
    }
}
