package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.RowRejection;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.Arrays;

/**
 * A slab of rows of one layout. Rows have dense int ids and live as long as somebody claims them; their memory is used
 * again. Values lie side by side, a row at a time, in chunks that never move; a chunk without rows is given back, but
 * for one.
 *
 * <p>Memory: each chunk is charged with the objects that the one filled before it refers to, as a sample of them says.
 *
 * <p>Threads: one thread. Ownership: whoever allocates or retains a row releases it. Failure: a full store throws
 * {@link RowRejectedException} with {@link RowRejection#STATE_FULL}.
 */
public final class RowStore
{
    private static final int CHUNK_SHIFT = 10;
    private static final int CHUNK = 1 << CHUNK_SHIFT;
    private static final int MASK = CHUNK - 1;
    private static final int NONE = -1;
    private static final int SAMPLED_ROWS = 16;
    private static final int REFERENCE_BYTES = 4;

    private final RowLayout layout;
    private final int maxRows;
    private final MemoryAccount memory;
    private final int wordsPerRow;
    private final int referencesPerRow;
    private final int[] slots;
    private final byte[] kinds;
    private long[][] words = new long[1][];
    private Object[][] references = new Object[1][];
    /** How many claim a row; of a free one, which is the next, with its bits turned: never more than 0. */
    private int[][] claims = new int[1][];
    /** The first free row of each chunk, rows claimed in it, and what it was charged. */
    private int[] firstFree = new int[1];
    private int[] claimed = new int[1];
    private long[] charged = new long[1];
    /** Chunks with free rows but for the open one, each once; some have been given back since. */
    private int[] roomy = new int[1];
    private int roomyCount;
    private boolean[] isRoomy = new boolean[1];
    /** Where rows are taken from. */
    private int open = NONE;
    /** A chunk without rows that is kept, so that a store around a chunk's edge does not make and drop it. */
    private int spare = NONE;
    /** No chunk before this one has been given back. */
    private int gap;
    /** The chunk made last, whose objects tell the size of the next ones. */
    private int last = NONE;
    private int size;

    /**
     * Makes an empty store.
     *
     * @param layout  of its rows
     * @param maxRows bound
     */
    public RowStore(final RowLayout layout, final int maxRows)
    {
        this(layout, maxRows, MemoryAccount.NONE);
    }

    /**
     * Makes an empty store.
     *
     * @param layout  of its rows
     * @param maxRows bound
     * @param memory  is charged each chunk
     */
    public RowStore(final RowLayout layout, final int maxRows, final MemoryAccount memory)
    {
        this.layout = layout;
        this.maxRows = maxRows;
        this.memory = memory;
        wordsPerRow = layout.words();
        referencesPerRow = layout.references();
        slots = layout.slots();
        kinds = layout.kinds();
    }

    /**
     * The layout.
     *
     * @return as given
     */
    public RowLayout layout()
    {
        return layout;
    }

    /**
     * Rows that are claimed now.
     *
     * @return at least 0
     */
    public int size()
    {
        return size;
    }

    /**
     * What it is charged to, for what is kept beside its rows.
     *
     * @return account
     */
    public MemoryAccount memory()
    {
        return memory;
    }

    /**
     * Makes a row with one claim, all null.
     *
     * @return its id
     * @throws RowRejectedException when the store is full, or needs memory that is short
     */
    public int allocate()
    {
        if ((open == NONE || firstFree[open] == NONE) && !hasRoomyChunk() && memory.isShort())
        {
            throw new RowRejectedException(MemoryAccount.MEMORY_FULL, memory.shortage());
        }
        if (size >= maxRows)
        {
            throw new RowRejectedException(RowRejection.STATE_FULL, "more rows than may be kept, maxRows=" + maxRows);
        }
        if (open == NONE || firstFree[open] == NONE)
        {
            openChunk();
        }
        final int row = open << CHUNK_SHIFT | firstFree[open];
        final int[] chunk = claims[open];
        firstFree[open] = ~chunk[row & MASK];
        chunk[row & MASK] = 1;
        claimed[open]++;
        size++;
        clear(row);
        return row;
    }

    private boolean hasRoomyChunk()
    {
        while (roomyCount > 0 && (words[roomy[roomyCount - 1]] == null || firstFree[roomy[roomyCount - 1]] == NONE))
        {
            isRoomy[roomy[--roomyCount]] = false;
        }
        return roomyCount > 0;
    }

    /** Goes on in a chunk with free rows: one that has rows, the spare one, or a new one. */
    private void openChunk()
    {
        if (hasRoomyChunk())
        {
            open = roomy[--roomyCount];
            isRoomy[open] = false;
        }
        else
        {
            open = addChunk();
        }
        spare = spare == open ? NONE : spare;
    }

    private int addChunk()
    {
        int chunk = gap;
        while (chunk < words.length && words[chunk] != null)
        {
            chunk++;
        }
        gap = chunk + 1;
        if (chunk == words.length)
        {
            lengthen(chunk * 2);
        }
        charged[chunk] = chunkBytes();
        memory.charge(charged[chunk]);
        words[chunk] = new long[wordsPerRow * CHUNK];
        references[chunk] = new Object[referencesPerRow * CHUNK];
        claims[chunk] = new int[CHUNK];
        for (int i = 0; i < CHUNK; i++)
        {
            claims[chunk][i] = i == MASK ? ~NONE : ~(i + 1);
        }
        firstFree[chunk] = 0;
        claimed[chunk] = 0;
        last = chunk;
        return chunk;
    }

    private void lengthen(final int length)
    {
        words = Arrays.copyOf(words, length);
        references = Arrays.copyOf(references, length);
        claims = Arrays.copyOf(claims, length);
        firstFree = Arrays.copyOf(firstFree, length);
        claimed = Arrays.copyOf(claimed, length);
        charged = Arrays.copyOf(charged, length);
        roomy = Arrays.copyOf(roomy, length);
        isRoomy = Arrays.copyOf(isRoomy, length);
    }

    private long chunkBytes()
    {
        return (long)CHUNK * (wordsPerRow * Long.BYTES + referencesPerRow * REFERENCE_BYTES + Integer.BYTES) +
            (last == NONE || words[last] == null ? 0 :
            ObjectSizes.estimate(references[last], referencesPerRow, SAMPLED_ROWS));
    }

    private void clear(final int row)
    {
        final long[] rowWords = words(row);
        final int base = wordBase(row);
        for (int i = 0; i < layout.nullWords(); i++)
        {
            rowWords[base + i] = -1L;
        }
    }

    /**
     * Claims a row once more.
     *
     * @param row id
     */
    public void retain(final int row)
    {
        claims[row >>> CHUNK_SHIFT][row & MASK]++;
    }

    /**
     * Gives a claim back; after the last one the row is gone.
     *
     * @param row id
     */
    public void release(final int row)
    {
        final int[] chunk = claims[row >>> CHUNK_SHIFT];
        if (--chunk[row & MASK] == 0)
        {
            if (referencesPerRow > 0)
            {
                final int base = referenceBase(row);
                Arrays.fill(references(row), base, base + referencesPerRow, null);
            }
            free(row >>> CHUNK_SHIFT, row & MASK, chunk);
        }
    }

    private void free(final int number, final int row, final int[] chunk)
    {
        chunk[row] = ~firstFree[number];
        firstFree[number] = row;
        size--;
        if (--claimed[number] == 0 && number != open)
        {
            dropSpare();
            spare = number;
        }
        if (!isRoomy[number] && number != open)
        {
            isRoomy[number] = true;
            roomy[roomyCount++] = number;
        }
    }

    /** Gives the chunk back that was kept: another one has become empty. */
    private void dropSpare()
    {
        if (spare != NONE)
        {
            gap = Math.min(gap, spare);
            words[spare] = null;
            references[spare] = null;
            claims[spare] = null;
            memory.release(charged[spare]);
        }
    }

    /**
     * The array that holds a row's words.
     *
     * @param row id
     * @return chunk, for reading at {@link #wordBase}
     */
    public long[] words(final int row)
    {
        return words[row >>> CHUNK_SHIFT];
    }

    /**
     * Where a row's words begin in their array.
     *
     * @param row id
     * @return index
     */
    public int wordBase(final int row)
    {
        return (row & MASK) * wordsPerRow;
    }

    /**
     * The array that holds a row's references.
     *
     * @param row id
     * @return chunk, for reading at {@link #referenceBase}
     */
    public Object[] references(final int row)
    {
        return references[row >>> CHUNK_SHIFT];
    }

    /**
     * Where a row's references begin in their array.
     *
     * @param row id
     * @return index
     */
    public int referenceBase(final int row)
    {
        return (row & MASK) * referencesPerRow;
    }

    /**
     * Whether a value is null.
     *
     * @param row    id
     * @param column index from 0
     * @return true when it is
     */
    public boolean isNull(final int row, final int column)
    {
        return (words(row)[wordBase(row) + (column >>> 6)] & 1L << column) != 0;
    }

    /**
     * Makes a value null.
     *
     * @param row    id
     * @param column index from 0
     */
    public void setNull(final int row, final int column)
    {
        words(row)[wordBase(row) + (column >>> 6)] |= 1L << column;
        if (kinds[column] == RowLayout.REFERENCE)
        {
            references(row)[referenceBase(row) + slots[column]] = null;
        }
    }

    private void clearNull(final int row, final int column)
    {
        words(row)[wordBase(row) + (column >>> 6)] &= ~(1L << column);
    }

    /**
     * An int, bigint, time or boolean (0 or 1).
     *
     * @param row    id
     * @param column index from 0
     * @return value; anything when it is null
     */
    public long getLong(final int row, final int column)
    {
        return words(row)[wordBase(row) + slots[column]];
    }

    /**
     * Sets an int, bigint, time or boolean.
     *
     * @param row    id
     * @param column index from 0
     * @param value  not null
     */
    public void setLong(final int row, final int column, final long value)
    {
        clearNull(row, column);
        words(row)[wordBase(row) + slots[column]] = value;
    }

    /**
     * A double or float.
     *
     * @param row    id
     * @param column index from 0
     * @return value; anything when it is null
     */
    public double getDouble(final int row, final int column)
    {
        return Double.longBitsToDouble(words(row)[wordBase(row) + slots[column]]);
    }

    /**
     * Sets a double or float.
     *
     * @param row    id
     * @param column index from 0
     * @param value  not null
     */
    public void setDouble(final int row, final int column, final double value)
    {
        clearNull(row, column);
        words(row)[wordBase(row) + slots[column]] = Double.doubleToRawLongBits(value);
    }

    /**
     * A text (String), decimal, byte array, XML text or object.
     *
     * @param row    id
     * @param column index from 0
     * @return value, {@code null} when it is null
     */
    public Object getReference(final int row, final int column)
    {
        return references(row)[referenceBase(row) + slots[column]];
    }

    /**
     * Sets a reference.
     *
     * @param row    id
     * @param column index from 0
     * @param value  {@code null} and the empty text make it null
     */
    public void setReference(final int row, final int column, final Object value)
    {
        if (value == null || value instanceof String text && text.isEmpty())
        {
            setNull(row, column);
            return;
        }
        clearNull(row, column);
        references(row)[referenceBase(row) + slots[column]] = value;
    }

    /**
     * A value as an object.
     *
     * @param row    id
     * @param column index from 0
     * @return boxed as {@link CqlType#javaClass()} says, or {@code null}
     */
    public Object value(final int row, final int column)
    {
        if (isNull(row, column))
        {
            return null;
        }
        return switch (layout.type(column))
        {
            case INT -> (int)getLong(row, column);
            case BIGINT, TIMESTAMP, INTERVAL -> getLong(row, column);
            case FLOAT -> (float)getDouble(row, column);
            case DOUBLE -> getDouble(row, column);
            case BOOLEAN -> getLong(row, column) != 0;
            case BIGDECIMAL, CHAR, BYTE, XMLTYPE, OBJECT -> getReference(row, column);
        };
    }

    /**
     * Sets a value given as an object.
     *
     * @param row    id
     * @param column index from 0
     * @param value  boxed, or {@code null}
     * @throws ClassCastException when it is not of the column's type
     */
    public void set(final int row, final int column, final Object value)
    {
        if (value == null)
        {
            setNull(row, column);
            return;
        }
        switch (layout.type(column))
        {
            case INT, BIGINT, TIMESTAMP, INTERVAL -> setLong(row, column, ((Number)value).longValue());
            case FLOAT -> setDouble(row, column, ((Number)value).floatValue());
            case DOUBLE -> setDouble(row, column, ((Number)value).doubleValue());
            case BOOLEAN -> setLong(row, column, (Boolean)value ? 1 : 0);
            default -> setReference(row, column, value);
        }
    }

    /**
     * Orders texts by code point; {@link String#compareTo} orders by UTF-16 unit.
     *
     * @param a one
     * @param b other
     * @return negative, 0 or positive
     */
    public static int compareTexts(final String a, final String b)
    {
        final int common = Math.min(a.length(), b.length());
        for (int i = 0; i < common; i++)
        {
            final char x = a.charAt(i);
            final char y = b.charAt(i);
            if (x != y)
            {
                return Character.isSurrogate(x) == Character.isSurrogate(y) ? Character.compare(x, y) :
                    Character.isSurrogate(x) ? 1 : -1;
            }
        }
        return Integer.compare(a.length(), b.length());
    }

    /**
     * Writes a row.
     *
     * @param to  takes its values
     * @param row id
     */
    public void write(final StateOutput to, final int row)
    {
        for (final int column : layout.columns())
        {
            to.writeValue(value(row, column));
        }
    }

    /**
     * Reads a row.
     *
     * @param from gives its values
     * @return id of a new row, with the caller's claim
     * @throws StateException when there is no room for it
     */
    public int read(final StateInput from)
    {
        try
        {
            final int row = allocate();
            for (final int column : layout.columns())
            {
                set(row, column, from.readValue());
            }
            return row;
        }
        catch (final RowRejectedException full)
        {
            throw new StateException("there is no room for state, " + full.getMessage(), full);
        }
    }
}
