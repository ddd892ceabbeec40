package dev.millrace.cql.runtime;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.runtime.table.IncrementalArrays;
import dev.millrace.cql.runtime.table.LongSlotMap;
import dev.millrace.cql.runtime.table.SlotChunks;
import dev.millrace.cql.runtime.table.SlotInts;
import java.util.Arrays;

/**
 * A replica of a keyed relation, such as a cache, in which rows of a stream are looked up: columns of primitives, one
 * row per key.
 *
 * <p>Strings are codes of the string table of the pipeline that joins; a row retains its codes. A char key needs no
 * hashing: presence is a byte and the row number an int, both indexed by code. The presence bytes are in one array, so
 * that a look-up without a match costs one load. When other strings fill the table faster than slices are copied, the
 * array grows at once, one byte per code. Row numbers are in chunks. Other keys use a hash table. Rows without a key,
 * or with a key that is not a number, cannot match anything and are not stored.
 *
 * <p>Arrays grow incrementally, one slice per change ({@link IncrementalArrays}), so that no change copies all rows.
 *
 * <p>Confined to one worker thread, which applies changes between two batches. Each worker has its own replica.
 */
public final class LookupRelation
{
    private static final int INITIAL_ROWS = 64;
    /** Bytes per key in the hash table. */
    private static final int KEY_BYTES = 48;
    /** Approximate bytes per string or number that a row refers to. */
    private static final int OBJECT_BYTES = 48;

    private final BatchSchema schema;
    private final int keyColumn;
    private final StringTable strings;
    private final boolean isCharKey;
    private final Object[] columns;
    private final byte[][] nulls;
    private final int[] nullCounts;
    private LongSlotMap table;
    /** Columns, followed by their null flags. */
    private final IncrementalArrays rowArrays;
    private byte[] present = new byte[INITIAL_ROWS];
    private final IncrementalArrays presence;
    private final SlotInts rowOfId;
    private int[] freeRows = new int[INITIAL_ROWS];
    private final IncrementalArrays freeArrays;
    private final MemoryAccount memory;
    private final int objectColumns;
    /** Rows that are charged for memory outside arrays. */
    private int chargedRows;
    private int freeCount;
    private int nextRow;
    private int size;

    /**
     * A relation without rows that has its own string table.
     *
     * @param schema of the rows that will be added
     * @throws IllegalArgumentException when the type of the key has no equality that a table can use
     */
    public LookupRelation(final BatchSchema schema, final int keyColumn)
    {
        this(schema, keyColumn, new StringTable(StringTable.Lifetime.HELD, Integer.MAX_VALUE - 1), MemoryAccount.NONE);
    }

    /**
     * @param schema  of the rows that will be added
     * @param strings string table of the pipeline that joins
     * @param memory  charged for growth
     * @throws IllegalArgumentException when the type of the key has no equality that a table can use
     */
    public LookupRelation(
        final BatchSchema schema, final int keyColumn, final StringTable strings, final MemoryAccount memory)
    {
        this.strings = strings;
        this.memory = memory;
        presence = new IncrementalArrays(memory, (Object)present);
        rowOfId = new SlotInts(1, 0, memory);
        freeArrays = new IncrementalArrays(memory, (Object)freeRows);
        this.schema = schema;
        this.keyColumn = keyColumn;
        final ColumnStorage storage = schema.storage(keyColumn);
        if (storage == ColumnStorage.REFERENCE)
        {
            throw new IllegalArgumentException("key of a lookup relation must be a number, boolean, time or char, " +
                "type=" + schema.type().name() + " column=" + schema.type().properties().get(keyColumn).name());
        }
        isCharKey = storage == ColumnStorage.TEXT;
        table = isCharKey ? null : new LongSlotMap();
        columns = new Object[schema.columnCount()];
        nulls = new byte[columns.length][];
        nullCounts = new int[columns.length];
        for (int i = 0; i < columns.length; i++)
        {
            columns[i] = schema.storage(i).newArray(INITIAL_ROWS);
            nulls[i] = new byte[INITIAL_ROWS];
        }
        final Object[] all = Arrays.copyOf(columns, columns.length * 2);
        System.arraycopy(nulls, 0, all, columns.length, columns.length);
        rowArrays = new IncrementalArrays(memory, all);
        int objects = 0;
        for (int i = 0; i < columns.length; i++)
        {
            objects += schema.storage(i) == ColumnStorage.REFERENCE ? 1 : 0;
        }
        objectColumns = objects;
    }

    public BatchSchema schema()
    {
        return schema;
    }

    /** The string table of its codes. */
    public StringTable strings()
    {
        return strings;
    }

    /** Index of the key's column. */
    public int keyColumn()
    {
        return keyColumn;
    }

    public int size()
    {
        return size;
    }

    /**
     * Whether a row can be stored: it needs no memory, or memory is available.
     *
     * @param rows batch of {@link #schema()}
     * @return false while the instance is short of memory and the key is new
     */
    public boolean hasRoom(final EventBatch rows, final int row)
    {
        return !memory.isShort() || !hasKey(rows, row) || size < chargedRows && rowArrays.hasRoom(size + 1) ||
            (isCharKey ? isPresent(rows.texts(keyColumn).find(row, strings)) : table.find(keyBits(rows, row)) >= 0);
    }

    private void chargeRows()
    {
        if (size > chargedRows)
        {
            memory.charge(rowBytes() * (size - chargedRows));
            chargedRows = size;
        }
    }

    private long rowBytes()
    {
        return (long)objectColumns * OBJECT_BYTES + (isCharKey ? 0 : KEY_BYTES);
    }

    /**
     * Stores a row; replaces the row with the same key, if any.
     *
     * @param rows batch of {@link #schema()}
     * @return false when the key of the row cannot match anything and the row was not stored
     */
    public boolean upsert(final EventBatch rows, final int row)
    {
        if (!hasKey(rows, row))
        {
            return false;
        }
        final int target;
        if (isCharKey)
        {
            target = rowForId(owed(rows, keyColumn, row));
        }
        else
        {
            target = table.slotOf(keyBits(rows, row));
            size = table.size();
            ensureRows(target + 1);
        }
        chargeRows();
        for (int column = 0; column < columns.length; column++)
        {
            if (schema.storage(column) == ColumnStorage.TEXT)
            {
                put(column, target, owed(rows, column, row));
            }
            else
            {
                System.arraycopy(rows.array(column), row, columns[column], target, 1);
            }
            final byte isNull = (byte)(rows.isNull(column, row) ? 1 : 0);
            nullCounts[column] += isNull - nulls[column][target];
            nulls[column][target] = isNull;
        }
        rowArrays.changed(target);
        return true;
    }

    /** The code of a string; a new string gets one. The caller has checked the capacity. */
    private int owed(final EventBatch rows, final int column, final int row)
    {
        final CharColumn texts = rows.texts(column);
        final int code = texts.code(row, strings);
        if (code != StringTable.FULL)
        {
            return code;
        }
        final byte[] text = new byte[texts.length(row)];
        texts.copy(row, text, 0);
        return strings.owed(text, 0, text.length);
    }

    /** Stores a string in a row, which retains it. */
    private void put(final int column, final int row, final int code)
    {
        strings.hold(code);
        strings.release(ints(column)[row]);
        ints(column)[row] = code;
    }

    /**
     * Removes the row with a key.
     *
     * @param rows batch of {@link #schema()}; only the key is read
     * @return whether there was one
     */
    public boolean remove(final EventBatch rows, final int row)
    {
        if (!hasKey(rows, row))
        {
            return false;
        }
        final int target;
        if (isCharKey)
        {
            final int id = rows.texts(keyColumn).find(row, strings);
            if (!isPresent(id))
            {
                return false;
            }
            target = rowOfId.get(id);
            present[id] = 0;
            presence.changed(id);
            freeRow(target);
            size--;
        }
        else
        {
            target = table.remove(keyBits(rows, row));
            if (target < 0)
            {
                return false;
            }
            size = table.size();
        }
        clearRow(target);
        return true;
    }

    /** Removes all rows, before the whole content is loaded again. */
    public void clear()
    {
        for (int id = 0; id < present.length; id++)
        {
            present[id] = 0;
            presence.changed(id);
        }
        for (int row = 0; row < nulls[0].length; row++)
        {
            clearRow(row);
        }
        if (table != null)
        {
            table = new LongSlotMap();
        }
        memory.release(rowBytes() * chargedRows);
        chargedRows = 0;
        freeCount = 0;
        nextRow = 0;
        size = 0;
    }

    private void clearRow(final int row)
    {
        for (int column = 0; column < columns.length; column++)
        {
            nullCounts[column] -= nulls[column][row];
            nulls[column][row] = 0;
            switch (schema.storage(column))
            {
                case REFERENCE -> references(column)[row] = null;
                case TEXT -> put(column, row, StringTable.NULL);
                default ->
                {
                    // The next row overwrites it.
                }
            }
        }
        rowArrays.changed(row);
    }

    private boolean hasKey(final EventBatch rows, final int row)
    {
        if (rows.isNull(keyColumn, row))
        {
            return false;
        }
        return switch (schema.storage(keyColumn))
        {
            case FLOAT64 -> !Double.isNaN(rows.doubles(keyColumn)[row]);
            case FLOAT32 -> !Float.isNaN(rows.floats(keyColumn)[row]);
            default -> true;
        };
    }

    private long keyBits(final EventBatch rows, final int row)
    {
        return switch (schema.storage(keyColumn))
        {
            case INT32 -> rows.ints(keyColumn)[row];
            case INT64 -> rows.longs(keyColumn)[row];
            case FLOAT64 -> LongSlotMap.keyOf(rows.doubles(keyColumn)[row]);
            case FLOAT32 -> LongSlotMap.keyOf(rows.floats(keyColumn)[row]);
            case BIT -> rows.bits(keyColumn)[row];
            default -> throw new IllegalStateException("no table for keys of this storage, please report: storage=" +
                schema.storage(keyColumn));
        };
    }

    private int rowForId(final int id)
    {
        if (isPresent(id))
        {
            return rowOfId.get(id);
        }
        final int row = freeCount > 0 ? freeRows[--freeCount] : nextRow++;
        ensureRows(row + 1);
        ensureIds(id + 1);
        present[id] = 1;
        presence.changed(id);
        rowOfId.reach(id);
        rowOfId.set(id, row);
        size++;
        return row;
    }

    private void freeRow(final int row)
    {
        if (freeArrays.reserve(freeCount + 1))
        {
            freeRows = (int[])freeArrays.get(0);
        }
        freeRows[freeCount] = row;
        freeArrays.changed(freeCount++);
    }

    private boolean isPresent(final int id)
    {
        return id < present.length && present[id] != 0;
    }

    private void ensureIds(final int count)
    {
        if (presence.reserve(count))
        {
            present = (byte[])presence.get(0);
        }
    }

    private void ensureRows(final int count)
    {
        if (rowArrays.reserve(count))
        {
            for (int column = 0; column < columns.length; column++)
            {
                columns[column] = rowArrays.get(column);
                nulls[column] = (byte[])rowArrays.get(columns.length + column);
            }
        }
    }

    /** Greatest number of rows that a single change copied while capacity remained; for tests. */
    int mostCopied()
    {
        return Math.max(rowArrays.mostCopied(), Math.max(presence.mostCopied(), freeArrays.mostCopied()));
    }

    /**
     * For generated code: presence by code of a char key, 1 or 0; long enough for every existing code. Read it again
     * for each batch.
     *
     * @return the array itself
     */
    public byte[] present()
    {
        ensureIds(strings.limit());
        return present;
    }

    /**
     * For generated code: row number by code of a char key that is present, in chunks as in {@link SlotChunks}. Read it
     * again for each batch.
     *
     * @return the chunks themselves
     */
    public int[][] rowOfId()
    {
        return rowOfId.chunks();
    }

    /**
     * For generated code: row number of a key that is not a char.
     *
     * @param key bits of the key: the number itself, {@link LongSlotMap#keyOf(double)} or 0 and 1
     * @return row number, or {@link LongSlotMap#NONE}
     */
    public int find(final long key)
    {
        return table.find(key);
    }

    /**
     * For generated code: whether any row has null in a column, so that the caller must consult {@link #nulls(int)}.
     */
    public boolean hasNulls(final int column)
    {
        return nullCounts[column] != 0 && schema.storage(column).usesNullBitmap();
    }

    /**
     * For generated code: 1 where a row has null in a column.
     *
     * @return the array itself, by row number
     */
    public byte[] nulls(final int column)
    {
        return nulls[column];
    }

    /**
     * A column of ints, or of string codes, by row number.
     *
     * @return the array itself, valid until the next change
     */
    public int[] ints(final int column)
    {
        return (int[])columns[column];
    }

    /**
     * A column of 64-bit integers, by row number.
     *
     * @return the array itself, valid until the next change
     */
    public long[] longs(final int column)
    {
        return (long[])columns[column];
    }

    /**
     * A column of floats, by row number.
     *
     * @return the array itself, valid until the next change
     */
    public float[] floats(final int column)
    {
        return (float[])columns[column];
    }

    /**
     * A column of doubles, by row number.
     *
     * @return the array itself, valid until the next change
     */
    public double[] doubles(final int column)
    {
        return (double[])columns[column];
    }

    /**
     * A column of booleans, by row number.
     *
     * @return the array itself, valid until the next change
     */
    public byte[] bits(final int column)
    {
        return (byte[])columns[column];
    }

    /**
     * A column of references, by row number.
     *
     * @return the array itself, valid until the next change
     */
    public Object[] references(final int column)
    {
        return (Object[])columns[column];
    }

    public CqlType keyType()
    {
        return schema.type().properties().get(keyColumn).type();
    }
}
