package dev.millrace.api.event;

/**
 * Up to {@value #CAPACITY} events of one type as columns of primitives: the unit in which events travel through a
 * network.
 *
 * <p>Threads and ownership: a batch has one owner at a time. A sender lends it for the duration of the call; the
 * receiver may read it until it returns and keeps nothing of it. The sender then clears and refills it, so that
 * nothing is allocated in steady state. A stage that must keep rows copies them.
 *
 * <p>Shape of a batch of {@code n} rows:
 * <ul>
 *   <li>one array a column ({@link ColumnStorage}), rows 0 to n - 1 valid;</li>
 *   <li>nulls: a bitmap of {@code long} words a column, consulted only while {@link #hasNulls(int)}; char and
 *       reference columns say null by id 0 and by {@code null};</li>
 *   <li>timestamps: either {@link #baseTimestampNs()} with row {@code i} at base + i, or one {@code long} a row;</li>
 *   <li>kinds, of relations only: {@link #INSERT}, {@link #DELETE} or {@link #UPDATE} a row;</li>
 *   <li>origins, only where latency is measured: when the event was due at its source, one {@code long} a row.</li>
 * </ul>
 * A batch without rows is a heartbeat: no later row on this path is older than {@link #baseTimestampNs()}.
 */
public final class EventBatch
{
    /** Greatest number of rows of a batch. */
    public static final int CAPACITY = 256;

    /** Row kind: the row enters. Every row of a stream is one. */
    public static final byte INSERT = 0;
    /** Row kind: a row equal to this one leaves the relation. */
    public static final byte DELETE = 1;
    /** Row kind: replaces the row of the relation that has the same primary key. */
    public static final byte UPDATE = 2;

    private static final int NULL_WORDS = CAPACITY / Long.SIZE;

    private final BatchSchema schema;
    private final Object[] columns;
    private final long[][] nullBits;
    private final boolean[] hasNulls;
    private final long[] timestampsNs = new long[CAPACITY];
    private final long[] originsNs = new long[CAPACITY];
    private final byte[] kinds = new byte[CAPACITY];
    private int size;
    private boolean timestampPerRow;
    private long baseTimestampNs;
    private boolean hasOrigins;
    private boolean hasKinds;

    /**
     * Makes an empty batch with arrays of its own.
     *
     * @param schema shape
     */
    public EventBatch(final BatchSchema schema)
    {
        this.schema = schema;
        final int columnCount = schema.columnCount();
        columns = new Object[columnCount];
        nullBits = new long[columnCount][];
        hasNulls = new boolean[columnCount];
        for (int i = 0; i < columnCount; i++)
        {
            columns[i] = schema.storage(i).newArray(CAPACITY);
            nullBits[i] = new long[NULL_WORDS];
        }
    }

    /**
     * The shape.
     *
     * @return schema
     */
    public BatchSchema schema()
    {
        return schema;
    }

    /**
     * Number of rows.
     *
     * @return 0 to {@value #CAPACITY}; 0 means heartbeat
     */
    public int size()
    {
        return size;
    }

    /**
     * Sets the number of rows after the columns were filled.
     *
     * @param size 0 to {@value #CAPACITY}
     */
    public void size(final int size)
    {
        this.size = size;
    }

    /** Makes the batch empty: no rows, no nulls, no kinds, no origins, timestamps from base 0. */
    public void clear()
    {
        size = 0;
        timestampPerRow = false;
        baseTimestampNs = 0;
        hasOrigins = false;
        hasKinds = false;
        for (int i = 0; i < hasNulls.length; i++)
        {
            if (hasNulls[i])
            {
                hasNulls[i] = false;
                java.util.Arrays.fill(nullBits[i], 0L);
            }
        }
    }

    /**
     * The array behind a column of {@link ColumnStorage#INT32} or {@link ColumnStorage#DICTIONARY}.
     *
     * @param column index from 0
     * @return the array itself, {@value #CAPACITY} long
     */
    public int[] ints(final int column)
    {
        return (int[])columns[column];
    }

    /**
     * The array behind a column of {@link ColumnStorage#INT64}.
     *
     * @param column index from 0
     * @return the array itself
     */
    public long[] longs(final int column)
    {
        return (long[])columns[column];
    }

    /**
     * The array behind a column of {@link ColumnStorage#FLOAT32}.
     *
     * @param column index from 0
     * @return the array itself
     */
    public float[] floats(final int column)
    {
        return (float[])columns[column];
    }

    /**
     * The array behind a column of {@link ColumnStorage#FLOAT64}.
     *
     * @param column index from 0
     * @return the array itself
     */
    public double[] doubles(final int column)
    {
        return (double[])columns[column];
    }

    /**
     * The array behind a column of {@link ColumnStorage#BIT}.
     *
     * @param column index from 0
     * @return the array itself, 0 or 1 a row
     */
    public byte[] bits(final int column)
    {
        return (byte[])columns[column];
    }

    /**
     * The array behind a column of {@link ColumnStorage#REFERENCE}.
     *
     * @param column index from 0
     * @return the array itself
     */
    public Object[] references(final int column)
    {
        return (Object[])columns[column];
    }

    /**
     * The array behind any column.
     *
     * @param column index from 0
     * @return the array itself
     */
    public Object array(final int column)
    {
        return columns[column];
    }

    /**
     * Whether any row of a column with a null bitmap is null. Always false for char and reference columns.
     *
     * @param column index from 0
     * @return true when the bitmap must be consulted
     */
    public boolean hasNulls(final int column)
    {
        return hasNulls[column];
    }

    /**
     * The null bitmap of a column, one bit a row, set means null. Only meaningful while {@link #hasNulls(int)}.
     *
     * @param column index from 0
     * @return the words themselves
     */
    public long[] nullBits(final int column)
    {
        return nullBits[column];
    }

    /**
     * Whether a value is null, whatever the column's storage.
     *
     * @param column index from 0
     * @param row    index from 0
     * @return true when null
     */
    public boolean isNull(final int column, final int row)
    {
        return switch (schema.storage(column))
        {
            case DICTIONARY -> ints(column)[row] == Dictionary.NULL_ID;
            case REFERENCE -> references(column)[row] == null;
            default -> hasNulls[column] && (nullBits[column][row >> 6] & (1L << row)) != 0;
        };
    }

    /**
     * Makes a value null, whatever the column's storage.
     *
     * @param column index from 0
     * @param row    index from 0
     */
    public void setNull(final int column, final int row)
    {
        switch (schema.storage(column))
        {
            case DICTIONARY -> ints(column)[row] = Dictionary.NULL_ID;
            case REFERENCE -> references(column)[row] = null;
            default ->
            {
                hasNulls[column] = true;
                nullBits[column][row >> 6] |= 1L << row;
            }
        }
    }

    /**
     * Takes back a null set at a row with {@link #setNull(int, int)}, when a writer overwrites the row before
     * sending.
     *
     * @param column index from 0
     * @param row    index from 0
     */
    public void clearNull(final int column, final int row)
    {
        if (hasNulls[column])
        {
            nullBits[column][row >> 6] &= ~(1L << row);
        }
    }

    /**
     * Whether each row has a timestamp of its own.
     *
     * @return false when row i is at {@link #baseTimestampNs()} + i
     */
    public boolean timestampPerRow()
    {
        return timestampPerRow;
    }

    /**
     * Time of row 0 when rows count up from it; time of a heartbeat.
     *
     * @return nanoseconds
     */
    public long baseTimestampNs()
    {
        return baseTimestampNs;
    }

    /**
     * Gives rows the times base, base + 1, ...
     *
     * @param timestampNs time of row 0
     */
    public void baseTimestampNs(final long timestampNs)
    {
        timestampPerRow = false;
        baseTimestampNs = timestampNs;
    }

    /**
     * Switches to a timestamp a row; the caller fills the array.
     *
     * @return the array itself, {@value #CAPACITY} long
     */
    public long[] useTimestampPerRow()
    {
        timestampPerRow = true;
        return timestampsNs;
    }

    /**
     * The time of a row.
     *
     * @param row index from 0
     * @return nanoseconds
     */
    public long timestampNs(final int row)
    {
        return timestampPerRow ? timestampsNs[row] : baseTimestampNs + row;
    }

    /**
     * The times of the rows. Only meaningful while {@link #timestampPerRow()}.
     *
     * @return the array itself
     */
    public long[] timestampsNs()
    {
        return timestampsNs;
    }

    /**
     * Whether rows carry the time at which they were due at their source.
     *
     * @return true when {@link #originsNs()} is filled
     */
    public boolean hasOrigins()
    {
        return hasOrigins;
    }

    /**
     * Switches origins on; the caller fills the array.
     *
     * @return the array itself
     */
    public long[] useOrigins()
    {
        hasOrigins = true;
        return originsNs;
    }

    /**
     * The times at which rows were due at their source, by the server's {@link dev.millrace.api.time.Clock}. Only
     * meaningful while {@link #hasOrigins()}.
     *
     * @return the array itself
     */
    public long[] originsNs()
    {
        return originsNs;
    }

    /**
     * Whether rows have kinds; a batch without them holds inserts only.
     *
     * @return true when {@link #kinds()} is filled
     */
    public boolean hasKinds()
    {
        return hasKinds;
    }

    /**
     * Switches kinds on; the caller fills the array.
     *
     * @return the array itself
     */
    public byte[] useKinds()
    {
        hasKinds = true;
        return kinds;
    }

    /**
     * The kinds of the rows. Only meaningful while {@link #hasKinds()}.
     *
     * @return the array itself
     */
    public byte[] kinds()
    {
        return kinds;
    }

    /**
     * The kind of a row.
     *
     * @param row index from 0
     * @return {@link #INSERT}, {@link #DELETE} or {@link #UPDATE}
     */
    public byte kind(final int row)
    {
        return hasKinds ? kinds[row] : INSERT;
    }

    /**
     * A value as an object, for the edge only: it boxes.
     *
     * @param column index from 0
     * @param row    index from 0
     * @return boxed number, boolean, string or reference; {@code null} when null
     */
    public Object value(final int column, final int row)
    {
        if (isNull(column, row))
        {
            return null;
        }
        return switch (schema.storage(column))
        {
            case INT32 -> ints(column)[row];
            case INT64 -> longs(column)[row];
            case FLOAT32 -> floats(column)[row];
            case FLOAT64 -> doubles(column)[row];
            case BIT -> bits(column)[row] != 0;
            case DICTIONARY -> schema.dictionary(column).string(ints(column)[row]);
            case REFERENCE -> references(column)[row];
        };
    }

    /**
     * Copies one row of a batch of an equal schema to a row of this one: values, nulls, kind, time and origin. Times
     * become one a row. Off the hot path: it looks at each column's storage.
     *
     * @param source    where from
     * @param sourceRow its row
     * @param row       row of this batch
     */
    public void copyRow(final EventBatch source, final int sourceRow, final int row)
    {
        for (int column = 0; column < columns.length; column++)
        {
            System.arraycopy(source.columns[column], sourceRow, columns[column], row, 1);
            clearNull(column, row);
            if (source.hasNulls[column] && source.isNull(column, sourceRow))
            {
                setNull(column, row);
            }
        }
        useTimestampPerRow()[row] = source.timestampNs(sourceRow);
        if (source.hasOrigins)
        {
            useOrigins()[row] = source.originsNs[sourceRow];
        }
        if (source.hasKinds)
        {
            useKinds()[row] = source.kinds[sourceRow];
        }
    }
}
