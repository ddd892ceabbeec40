package dev.millrace.network.durable;

import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import java.util.Arrays;

/**
 * The primary keys of a relation: open addressing over the key columns as longs, no object per key. Strings are not
 * stored: a key with strings is represented by its {@link KeyFingerprints fingerprint}, two longs. Callers
 * {@link #bind} a batch before they look up its rows. Not thread-safe.
 */
public class PrimaryKeySet
{
    private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;
    private static final int INITIAL_SLOTS = 64;
    /** Columns of the key: all, those that are not char, and those that are. */
    private final int[] columns;
    private final int[] numbers;
    private final int[] texts;
    private KeyFingerprints prints;
    private final int width;
    private final MemoryAccount memory;
    private long[] cells;
    private boolean[] filled;
    /** Values of the batch's key columns that are not char, and stored keys. */
    private final long[] values;
    private final long[] keys;
    private int size;

    /**
     * @param type     of the rows
     * @param columns  of the key
     * @param isStored whether its content is stored and read by another process
     * @param memory   is charged for the growth of the set
     */
    public PrimaryKeySet(
        final EventType type, final int[] columns, final boolean isStored, final MemoryAccount memory)
    {
        prints = new KeyFingerprints(isStored);
        this.memory = memory;
        this.columns = columns.clone();
        numbers = Arrays.stream(columns).filter(column -> !isText(type, column)).toArray();
        texts = Arrays.stream(columns).filter(column -> isText(type, column)).toArray();
        width = texts.length == 0 ? numbers.length : 2;
        values = new long[EventBatch.CAPACITY * numbers.length];
        keys = texts.length == 0 ? values : new long[EventBatch.CAPACITY * width];
        cells = new long[INITIAL_SLOTS * width];
        filled = new boolean[INITIAL_SLOTS];
    }

    /** Whether a column can be part of a key; false for types without a fixed-size code. */
    public static boolean isUsable(final EventType type, final int column)
    {
        return type.properties().get(column).type().storage() != ColumnStorage.REFERENCE;
    }

    private static boolean isText(final EventType type, final int column)
    {
        return type.properties().get(column).type().storage() == ColumnStorage.TEXT;
    }

    /** Lets another process read its content; before the first key. */
    public final void store()
    {
        prints = new KeyFingerprints(true);
    }

    /** The number of keys. */
    public final int count()
    {
        return size;
    }

    /** Whether a row of a batch may have a null in its key. */
    public final boolean hasNulls(final EventBatch batch)
    {
        for (final int column : columns)
        {
            if (batch.schema().storage(column).usesNullBitmap() ? batch.hasNulls(column) : lacksText(batch, column))
            {
                return true;
            }
        }
        return false;
    }

    private static boolean lacksText(final EventBatch batch, final int column)
    {
        final CharColumn texts = batch.texts(column);
        for (int row = 0; row < batch.size(); row++)
        {
            if (texts.isNull(row))
            {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a new key fits the table and the memory account is not exceeded, or there is memory for a larger table.
     */
    public final boolean hasRoom()
    {
        return !memory.isShort() || (size + 1) * 2L <= filled.length && !memory.isOverdrawn();
    }

    /** The explanation for the user when there is no room. */
    public final String shortage()
    {
        return memory.shortage();
    }

    public final boolean hasNull(final EventBatch batch, final int row)
    {
        for (final int column : columns)
        {
            if (batch.isNull(column, row))
            {
                return true;
            }
        }
        return false;
    }

    /** Prepares for a batch: computes the keys of its rows, column by column. */
    public final void bind(final EventBatch batch)
    {
        for (int i = 0; i < numbers.length; i++)
        {
            bind(batch, numbers[i], i);
        }
        for (int row = 0; texts.length > 0 && row < batch.size(); row++)
        {
            prints.begin();
            for (int i = 0; i < numbers.length; i++)
            {
                prints.add(values[row * numbers.length + i]);
            }
            for (final int column : texts)
            {
                prints.add(batch.texts(column), row);
            }
            prints.end();
            keys[row * width] = prints.first();
            keys[row * width + 1] = prints.second();
        }
    }

    private void bind(final EventBatch batch, final int column, final int index)
    {
        if (batch.schema().storage(column) == ColumnStorage.INT64)
        {
            final long[] longs = batch.longs(column);
            for (int row = 0; row < batch.size(); row++)
            {
                values[row * numbers.length + index] = longs[row];
            }
            return;
        }
        for (int row = 0; row < batch.size(); row++)
        {
            values[row * numbers.length + index] = bits(batch, column, row);
        }
    }

    /** Whether the set contains the key of a row of the batch. */
    public final boolean contains(final int row)
    {
        return filled[find(row)];
    }

    /** Adds the key of a row of the batch; false when the set contains it already. */
    public final boolean add(final int row)
    {
        if ((size + 1) * 2L > filled.length)
        {
            grow();
        }
        final int slot = find(row);
        if (filled[slot])
        {
            return false;
        }
        put(slot, keys, row * width);
        return true;
    }

    /** Removes a key and moves later keys of its run back, so that look-ups still find them. */
    public final boolean remove(final int row)
    {
        int hole = find(row);
        if (!filled[hole])
        {
            return false;
        }
        final int mask = filled.length - 1;
        for (int slot = hole + 1 & mask; filled[slot]; slot = slot + 1 & mask)
        {
            final int home = slotOf(hash(cells, slot * width));
            if ((slot - home & mask) >= (slot - hole & mask))
            {
                System.arraycopy(cells, slot * width, cells, hole * width, width);
                hole = slot;
            }
        }
        filled[hole] = false;
        size--;
        return true;
    }

    public final String describe(final EventBatch batch, final int row)
    {
        final StringBuilder out = new StringBuilder("key=");
        for (int i = 0; i < columns.length; i++)
        {
            out.append(i == 0 ? "" : ",").append(batch.value(columns[i], row));
        }
        return out.toString();
    }

    /** All keys, in no order; the argument of {@link #addAll} in another process. */
    public final long[] toArray()
    {
        final long[] all = new long[size * width];
        int at = 0;
        for (int slot = 0; slot < filled.length; slot++)
        {
            if (filled[slot])
            {
                System.arraycopy(cells, slot * width, all, at, width);
                at += width;
            }
        }
        return all;
    }

    /**
     * Adds keys of a set with the same columns.
     *
     * @param all as returned by {@link #toArray}
     * @throws IllegalArgumentException if the keys have other columns
     */
    public final void addAll(final long[] all)
    {
        if (all.length % width != 0)
        {
            throw new IllegalArgumentException("keys of other columns, longs=" + all.length + " width=" + width);
        }
        for (int at = 0; at < all.length; at += width)
        {
            if ((size + 1) * 2L > filled.length)
            {
                grow();
            }
            final int slot = find(all, at);
            if (!filled[slot])
            {
                put(slot, all, at);
            }
        }
    }

    private void put(final int slot, final long[] from, final int at)
    {
        filled[slot] = true;
        System.arraycopy(from, at, cells, slot * width, width);
        size++;
    }

    /** A hash of the key of a row; equal for equal keys of different batches. */
    public static long hash(final EventBatch batch, final int row, final int[] columns)
    {
        long hash = 0;
        for (final int column : columns)
        {
            hash = mix(hash, batch.schema().storage(column) == ColumnStorage.TEXT ?
                batch.texts(column).hash(row) : bits(batch, column, row));
        }
        return hash;
    }

    /** Whether two rows have equal keys. */
    public static boolean equal(
        final EventBatch a, final int rowOfA, final EventBatch b, final int rowOfB, final int[] columns)
    {
        for (final int column : columns)
        {
            final boolean isEqual = a.schema().storage(column) == ColumnStorage.TEXT ?
                a.texts(column).isEqual(rowOfA, b.texts(column), rowOfB) :
                bits(a, column, rowOfA) == bits(b, column, rowOfB);
            if (!isEqual)
            {
                return false;
            }
        }
        return true;
    }

    /** The slot of the key of a row, or the slot where it would be inserted. */
    private int find(final int row)
    {
        return find(keys, row * width);
    }

    private int find(final long[] from, final int keyAt)
    {
        final int mask = filled.length - 1;
        int slot = slotOf(hash(from, keyAt));
        while (filled[slot] && !isKey(slot, from, keyAt))
        {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private boolean isKey(final int slot, final long[] from, final int keyAt)
    {
        final int at = slot * width;
        for (int i = width - 1; i >= 0; i--)
        {
            if (cells[at + i] != from[keyAt + i])
            {
                return false;
            }
        }
        return true;
    }

    private long hash(final long[] from, final int at)
    {
        long hash = 0;
        for (int i = 0; i < width; i++)
        {
            hash = mix(hash, from[at + i]);
        }
        return hash;
    }

    private static long mix(final long hash, final long code)
    {
        final long mixed = (hash ^ code) * HASH_FACTOR;
        return mixed ^ mixed >>> 32;
    }

    private int slotOf(final long hash)
    {
        return (int)(hash * HASH_FACTOR >>> 40) & filled.length - 1;
    }

    private void grow()
    {
        final long[] oldCells = cells;
        final boolean[] oldFilled = filled;
        memory.charge((long)oldCells.length * Long.BYTES + oldFilled.length);
        cells = new long[oldCells.length * 2];
        filled = new boolean[oldFilled.length * 2];
        final int mask = filled.length - 1;
        for (int old = 0; old < oldFilled.length; old++)
        {
            if (!oldFilled[old])
            {
                continue;
            }
            int slot = slotOf(hash(oldCells, old * width));
            while (filled[slot])
            {
                slot = slot + 1 & mask;
            }
            filled[slot] = true;
            System.arraycopy(oldCells, old * width, cells, slot * width, width);
        }
    }

    /** The bits of a value that is not a string; equal for equal values. */
    private static long bits(final EventBatch batch, final int column, final int row)
    {
        return switch (batch.schema().storage(column))
        {
            case INT32 -> batch.ints(column)[row];
            case INT64 -> batch.longs(column)[row];
            case FLOAT32 -> Float.floatToIntBits(batch.floats(column)[row] + 0.0f);
            case FLOAT64 -> Double.doubleToLongBits(batch.doubles(column)[row] + 0.0);
            case BIT -> batch.bits(column)[row];
            case TEXT, REFERENCE ->
                throw new IllegalStateException("a column without a fixed-size code, column=" + column);
        };
    }
}
