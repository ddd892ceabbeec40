package dev.millrace.network.channel;

import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.Texts;
import java.util.Arrays;

/**
 * The primary keys that a relation channel holds: open addressing over the key columns as longs, no object a key.
 * At most {@value #MAX_KEYS} keys. Callers take turns.
 *
 * <p>While all lanes are of one query that never has two rows of one key, keys are not kept and rows are only counted.
 * When another lane comes, keys are kept from then on; what a row does whose key came before that cannot be checked.
 */
final class RelationKeys
{
    /** Greatest number of rows of a relation with primary key. */
    static final int MAX_KEYS = 1 << 24;

    private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;
    private static final int INITIAL_SLOTS = 64;

    private final int[] columns;
    private final int width;
    private final int maxKeys;
    private long[] cells;
    private boolean[] filled;
    private int size;
    /** The query of all lanes; {@code null} before the first one. */
    private String onlyQuery;
    private boolean looksUp;
    /** Rows that are there and whose keys are not kept. */
    private long unseen;

    RelationKeys(final int[] columns)
    {
        this(columns, MAX_KEYS);
    }

    RelationKeys(final int[] columns, final int maxKeys)
    {
        this.columns = columns.clone();
        this.maxKeys = maxKeys;
        width = columns.length;
        cells = new long[INITIAL_SLOTS * width];
        filled = new boolean[INITIAL_SLOTS];
    }

    /**
     * Whether a column can be part of a key.
     *
     * @param type   row type
     * @param column index from 0
     * @return false for types without a fixed-size code
     */
    static boolean isUsable(final EventType type, final int column)
    {
        return type.properties().get(column).type().storage() != ColumnStorage.REFERENCE;
    }

    /** How many rows are there. */
    long size()
    {
        return size + Math.max(0, unseen);
    }

    /**
     * Learns of a lane before its first row.
     *
     * @param provenQuery the query whose rows it carries, when that never has two rows of one key; otherwise
     *                    {@code null}
     */
    synchronized void addLane(final String provenQuery)
    {
        looksUp |= provenQuery == null || onlyQuery != null && !onlyQuery.equals(provenQuery);
        onlyQuery = provenQuery;
    }

    /** Whether keys are kept. */
    boolean looksUp()
    {
        return looksUp;
    }

    /** Whether a row of a batch may lack a part of its key. */
    boolean hasNulls(final EventBatch batch)
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
        final Texts texts = batch.texts(column);
        for (int row = 0; row < batch.size(); row++)
        {
            if (texts.isNull(row))
            {
                return true;
            }
        }
        return false;
    }

    /** Lets all rows of a batch through without keeping their keys. */
    void pass(final EventBatch batch)
    {
        if (!batch.hasKinds())
        {
            unseen += batch.size();
            return;
        }
        for (int row = 0; row < batch.size(); row++)
        {
            pass(batch.kind(row));
        }
    }

    /** Lets a row through without keeping its key. */
    void pass(final byte kind)
    {
        unseen += kind == EventBatch.INSERT ? 1 : kind == EventBatch.DELETE ? -1 : 0;
    }

    /** Whether a change is of a row whose key may have come before keys were kept. */
    boolean passUnseen(final byte kind)
    {
        if (unseen <= 0)
        {
            return false;
        }
        pass(kind);
        return true;
    }

    boolean isFull()
    {
        return size >= maxKeys;
    }

    boolean hasNull(final EventBatch batch, final int row)
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

    boolean contains(final EventBatch batch, final int row)
    {
        return filled[find(batch, row)];
    }

    boolean add(final EventBatch batch, final int row)
    {
        if ((size + 1) * 2L > filled.length)
        {
            grow();
        }
        final int slot = find(batch, row);
        if (filled[slot])
        {
            return false;
        }
        filled[slot] = true;
        for (int i = 0; i < width; i++)
        {
            cells[slot * width + i] = code(batch, columns[i], row);
        }
        size++;
        return true;
    }

    /** Removes a key and moves later keys of its run back, so that no look-up stops short of them. */
    boolean remove(final EventBatch batch, final int row)
    {
        int hole = find(batch, row);
        if (!filled[hole])
        {
            return false;
        }
        final int mask = filled.length - 1;
        for (int slot = hole + 1 & mask; filled[slot]; slot = slot + 1 & mask)
        {
            final int home = slotOf(hashOfSlot(slot));
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

    String describe(final EventBatch batch, final int row)
    {
        final StringBuilder out = new StringBuilder("key=");
        for (int i = 0; i < width; i++)
        {
            out.append(i == 0 ? "" : ",").append(batch.value(columns[i], row));
        }
        return out.toString();
    }

    /** A hash of the key of a row. */
    static long hash(final EventBatch batch, final int row, final int[] columns)
    {
        long hash = 0;
        for (final int column : columns)
        {
            hash = mix(hash, code(batch, column, row));
        }
        return hash;
    }

    /** Whether two rows have one key. */
    static boolean equal(
        final EventBatch a, final int rowOfA, final EventBatch b, final int rowOfB, final int[] columns)
    {
        for (final int column : columns)
        {
            if (code(a, column, rowOfA) != code(b, column, rowOfB))
            {
                return false;
            }
        }
        return true;
    }

    private int find(final EventBatch batch, final int row)
    {
        final int mask = filled.length - 1;
        int slot = slotOf(hash(batch, row, columns));
        while (filled[slot] && !matches(slot, batch, row))
        {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private boolean matches(final int slot, final EventBatch batch, final int row)
    {
        for (int i = 0; i < width; i++)
        {
            if (cells[slot * width + i] != code(batch, columns[i], row))
            {
                return false;
            }
        }
        return true;
    }

    private long hashOfSlot(final int slot)
    {
        long hash = 0;
        for (int i = 0; i < width; i++)
        {
            hash = mix(hash, cells[slot * width + i]);
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
        cells = new long[oldCells.length * 2];
        filled = new boolean[oldFilled.length * 2];
        final int mask = filled.length - 1;
        final long[] key = new long[width];
        for (int old = 0; old < oldFilled.length; old++)
        {
            if (!oldFilled[old])
            {
                continue;
            }
            System.arraycopy(oldCells, old * width, key, 0, width);
            int slot = slotOf(Arrays.stream(key).reduce(0L, RelationKeys::mix));
            while (filled[slot])
            {
                slot = slot + 1 & mask;
            }
            filled[slot] = true;
            System.arraycopy(key, 0, cells, slot * width, width);
        }
    }

    private static long code(final EventBatch batch, final int column, final int row)
    {
        return switch (batch.schema().storage(column))
        {
            case INT32, DICTIONARY -> batch.ints(column)[row];
            case INT64 -> batch.longs(column)[row];
            case FLOAT32 -> Float.floatToIntBits(batch.floats(column)[row] + 0.0f);
            case FLOAT64 -> Double.doubleToLongBits(batch.doubles(column)[row] + 0.0);
            case BIT -> batch.bits(column)[row];
            case REFERENCE -> throw new IllegalStateException("a reference column is no key, column=" + column);
        };
    }
}
