package dev.millrace.cql.runtime;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.runtime.table.CodeSlotMap;
import dev.millrace.cql.runtime.table.LongSlotMap;
import dev.millrace.cql.runtime.table.SlotChunks;

/**
 * A replica of a keyed relation, such as a cache, in which rows of a stream are looked up: the table of its keys, which
 * assigns row numbers, and its rows ({@link RelationRows}). Char keys use a {@link CodeSlotMap}, other keys a
 * {@link LongSlotMap}. Rows without a key, or with a key that is not a number, cannot match anything and are not
 * stored.
 *
 * <p>Confined to one worker thread, which applies changes between two batches. Each worker has its own replica.
 */
public final class LookupRelation
{
    /** Bytes per key in the hash table. */
    private static final int KEY_BYTES = 48;

    private final BatchSchema schema;
    private final int keyColumn;
    private final StringTable strings;
    private final RelationRows rows;
    /** Row numbers of char keys; {@code null} for other keys. */
    private final CodeSlotMap codes;
    /** Row numbers of keys that are not chars; {@code null} for char keys. */
    private LongSlotMap numbers;
    private final MemoryAccount memory;
    /** Bytes per row outside arrays. */
    private final int rowBytes;
    /** Rows that are charged for memory outside arrays. */
    private int chargedRows;

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
        this.schema = schema;
        this.keyColumn = keyColumn;
        final ColumnStorage storage = schema.storage(keyColumn);
        if (storage == ColumnStorage.REFERENCE)
        {
            throw new IllegalArgumentException("key of a lookup relation must be a number, boolean, time or char, " +
                "type=" + schema.type().name() + " column=" + schema.type().properties().get(keyColumn).name());
        }
        final boolean isCharKey = storage == ColumnStorage.TEXT;
        codes = isCharKey ? new CodeSlotMap(memory) : null;
        numbers = isCharKey ? null : new LongSlotMap();
        rows = new RelationRows(schema, strings, memory);
        rowBytes = rows.objectBytes() + (isCharKey ? 0 : KEY_BYTES);
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
        return codes != null ? codes.size() : numbers.size();
    }

    /**
     * Whether a row can be stored: it needs no memory, or memory is available.
     *
     * @param batch of {@link #schema()}
     * @return false while the instance is short of memory and the key is new
     */
    public boolean hasRoom(final EventBatch batch, final int row)
    {
        return !memory.isShort() || !hasKey(batch, row) || size() < chargedRows && rows.hasRoom(size() + 1) ||
            (codes != null ? codes.find(keyCode(batch, row)) : numbers.find(keyBits(batch, row))) >= 0;
    }

    /**
     * Stores a row; replaces the row with the same key, if any.
     *
     * @param batch of {@link #schema()}
     * @return false when the key of the row cannot match anything and the row was not stored
     */
    public boolean upsert(final EventBatch batch, final int row)
    {
        if (!hasKey(batch, row))
        {
            return false;
        }
        final int target = codes != null ? codes.slotOf(rows.newCode(batch, keyColumn, row)) :
            numbers.slotOf(keyBits(batch, row));
        chargeRows();
        rows.put(target, batch, row);
        return true;
    }

    private void chargeRows()
    {
        if (size() > chargedRows)
        {
            memory.charge((long)rowBytes * (size() - chargedRows));
            chargedRows = size();
        }
    }

    /**
     * Removes the row with a key.
     *
     * @param batch of {@link #schema()}; only the key is read
     * @return whether there was one
     */
    public boolean remove(final EventBatch batch, final int row)
    {
        if (!hasKey(batch, row))
        {
            return false;
        }
        final int target = codes != null ? codes.remove(keyCode(batch, row)) : numbers.remove(keyBits(batch, row));
        if (target < 0)
        {
            return false;
        }
        rows.clear(target);
        return true;
    }

    /** Removes all rows, before the whole content is loaded again. */
    public void clear()
    {
        if (codes != null)
        {
            codes.clear();
        }
        else
        {
            numbers = new LongSlotMap();
        }
        rows.clear();
        memory.release((long)rowBytes * chargedRows);
        chargedRows = 0;
    }

    private boolean hasKey(final EventBatch batch, final int row)
    {
        if (batch.isNull(keyColumn, row))
        {
            return false;
        }
        return switch (schema.storage(keyColumn))
        {
            case FLOAT64 -> !Double.isNaN(batch.doubles(keyColumn)[row]);
            case FLOAT32 -> !Float.isNaN(batch.floats(keyColumn)[row]);
            default -> true;
        };
    }

    /** The code of a char key that may be present; {@link StringTable#NULL} when no row has it. */
    private int keyCode(final EventBatch batch, final int row)
    {
        return batch.texts(keyColumn).find(row, strings);
    }

    private long keyBits(final EventBatch batch, final int row)
    {
        return switch (schema.storage(keyColumn))
        {
            case INT32 -> batch.ints(keyColumn)[row];
            case INT64 -> batch.longs(keyColumn)[row];
            case FLOAT64 -> LongSlotMap.keyOf(batch.doubles(keyColumn)[row]);
            case FLOAT32 -> LongSlotMap.keyOf(batch.floats(keyColumn)[row]);
            case BIT -> batch.bits(keyColumn)[row];
            default -> throw new IllegalStateException("no table for keys of this storage, please report: storage=" +
                schema.storage(keyColumn));
        };
    }

    /** Greatest number of rows that a single change copied while capacity remained; for tests. */
    int mostCopied()
    {
        return Math.max(rows.mostCopied(), codes.mostCopied());
    }

    /**
     * For generated code: presence by code of a char key, 1 or 0; long enough for every existing code. Read it again
     * for each batch.
     *
     * @return the array itself
     */
    public byte[] present()
    {
        return codes.present(strings.limit());
    }

    /**
     * For generated code: row number by code of a char key that is present, in chunks as in {@link SlotChunks}. Read it
     * again for each batch.
     *
     * @return the chunks themselves
     */
    public int[][] rowOfId()
    {
        return codes.slots();
    }

    /**
     * For generated code: row number of a key that is not a char.
     *
     * @param key bits of the key: the number itself, {@link LongSlotMap#keyOf(double)} or 0 and 1
     * @return row number, or {@link LongSlotMap#NONE}
     */
    public int find(final long key)
    {
        return numbers.find(key);
    }

    /**
     * For generated code: whether any row has null in a column, so that the caller must consult {@link #nulls(int)}.
     */
    public boolean hasNulls(final int column)
    {
        return rows.hasNulls(column);
    }

    /**
     * For generated code: 1 where a row has null in a column.
     *
     * @return the array itself, by row number
     */
    public byte[] nulls(final int column)
    {
        return rows.nulls(column);
    }

    /**
     * A column of ints, or of string codes, by row number.
     *
     * @return the array itself, valid until the next change
     */
    public int[] ints(final int column)
    {
        return (int[])rows.array(column);
    }

    /**
     * A column of 64-bit integers, by row number.
     *
     * @return the array itself, valid until the next change
     */
    public long[] longs(final int column)
    {
        return (long[])rows.array(column);
    }

    /**
     * A column of floats, by row number.
     *
     * @return the array itself, valid until the next change
     */
    public float[] floats(final int column)
    {
        return (float[])rows.array(column);
    }

    /**
     * A column of doubles, by row number.
     *
     * @return the array itself, valid until the next change
     */
    public double[] doubles(final int column)
    {
        return (double[])rows.array(column);
    }

    /**
     * A column of booleans, by row number.
     *
     * @return the array itself, valid until the next change
     */
    public byte[] bits(final int column)
    {
        return (byte[])rows.array(column);
    }

    /**
     * A column of references, by row number.
     *
     * @return the array itself, valid until the next change
     */
    public Object[] references(final int column)
    {
        return (Object[])rows.array(column);
    }

    public CqlType keyType()
    {
        return schema.type().properties().get(keyColumn).type();
    }
}
