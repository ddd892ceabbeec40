package dev.millrace.api.event;

import java.util.Arrays;

/**
 * Up to {@value #CAPACITY} events of one type as columns of primitives: the unit in which events pass through a
 * network.
 *
 * <p>Threads and ownership: a batch has one owner at a time. A sender lends it for the duration of the call; the
 * receiver may read it until it returns and must not keep references to it. The sender then clears and refills it, so
 * nothing is allocated in steady state. A stage that must keep rows copies them.
 *
 * <p>Layout of a batch of {@code n} rows:
 * <ul>
 * <li>one array per column ({@link ColumnStorage}), rows 0 to n - 1 valid;</li>
 * <li>nulls: a bitmap of {@code long} words per column, consulted only while {@link #hasNulls(int)}; char and reference
 *     columns represent null in the column itself;</li>
 * <li>timestamps: either {@link #baseTimestampNs()} with row {@code i} at base + i, or one {@code long} per row;</li>
 * <li>kinds, of relations only: {@link #INSERT}, {@link #DELETE} or {@link #UPDATE} per row;</li>
 * <li>origins, only where latency is measured: when the event was due at its source, one {@code long} per row, 0 when
 *     it is not known;</li>
 * <li>sequences, only of rows that may be sent again: producer and number of each row ({@link RowSequence}).</li>
 * </ul>
 * A batch without rows is a heartbeat: no later row on this path is older than {@link #baseTimestampNs()}.
 */
public final class EventBatch
{
    /** Maximum number of rows of a batch. */
    public static final int CAPACITY = 256;

    /** Row kind: the row is added. Every row of a stream is of this kind. */
    public static final byte INSERT = 0;
    /** Row kind: a row equal to this one is removed from the relation. */
    public static final byte DELETE = 1;
    /** Row kind: replaces the row of the relation that has the same primary key. */
    public static final byte UPDATE = 2;

    private static final int NULL_WORDS = CAPACITY / Long.SIZE;

    private final BatchSchema schema;
    private final Object[] columns;
    /** Char columns, which have no array in {@link #columns}. */
    private final CharColumn[] texts;
    private final long[][] nullBits;
    private final boolean[] hasNulls;
    private final long[] timestampsNs;
    private final long[] originsNs;
    private final byte[] kinds;
    /** Of a view: the index of the source's column for each column; {@code null} when this batch owns its arrays. */
    private final int[] sourceColumns;
    private int size;
    private boolean timestampPerRow;
    private long baseTimestampNs;
    private boolean hasOrigins;
    private boolean hasKinds;
    /** Created when it is used. */
    private long[] ownSequences;
    /** Those of the batch, of its source, or of the stage that passes it on. */
    private long[] sequences;
    private boolean hasSequences;

    /**
     * Creates an empty batch that owns its arrays.
     *
     * @param schema schema of the rows
     */
    public EventBatch(final BatchSchema schema)
    {
        this.schema = schema;
        final int columnCount = schema.columnCount();
        columns = new Object[columnCount];
        texts = new CharColumn[columnCount];
        nullBits = new long[columnCount][];
        hasNulls = new boolean[columnCount];
        timestampsNs = new long[CAPACITY];
        originsNs = new long[CAPACITY];
        kinds = new byte[CAPACITY];
        sourceColumns = null;
        for (int i = 0; i < columnCount; i++)
        {
            makeColumn(i);
        }
    }

    private void makeColumn(final int column)
    {
        nullBits[column] = new long[NULL_WORDS];
        if (schema.storage(column) == ColumnStorage.TEXT)
        {
            texts[column] = new CharColumn();
        }
        else
        {
            columns[column] = schema.storage(column).newArray(CAPACITY);
        }
    }

    /** Creates a view: see {@link #view(EventBatch, BatchSchema, int[])}. */
    private EventBatch(final EventBatch source, final BatchSchema schema, final int[] sourceColumnOf)
    {
        this.schema = schema;
        final int columnCount = schema.columnCount();
        columns = new Object[columnCount];
        texts = new CharColumn[columnCount];
        nullBits = new long[columnCount][];
        hasNulls = new boolean[columnCount];
        timestampsNs = source.timestampsNs;
        originsNs = source.originsNs;
        kinds = source.kinds;
        sourceColumns = sourceColumnOf.clone();
        for (int i = 0; i < columnCount; i++)
        {
            final int from = sourceColumnOf[i];
            if (from >= 0)
            {
                columns[i] = source.columns[from];
                texts[i] = source.texts[from];
                nullBits[i] = source.nullBits[from];
            }
            else
            {
                makeColumn(i);
                Arrays.fill(nullBits[i], -1L);
            }
        }
    }

    /**
     * Creates a batch of another schema that shares the arrays of a batch, so that the rows of a query reach a channel
     * of another event type without being copied. A view is created once; {@link #refreshFrom(EventBatch)} then updates
     * it after each filling of the source. A view is for reading; only times, origins and kinds may be set, which
     * changes the arrays of the source.
     *
     * @param source         owner of the arrays
     * @param schema         schema of the view
     * @param sourceColumnOf for each column of the view the index of the column of the source; -1 makes it null in all
     *                       rows
     * @return the view, refreshed from the current source
     * @throws IllegalArgumentException when a column's type differs from the type of its source column
     */
    public static EventBatch view(final EventBatch source, final BatchSchema schema, final int[] sourceColumnOf)
    {
        if (sourceColumnOf.length != schema.columnCount())
        {
            throw new IllegalArgumentException("one source column per column, type=" + schema.type().name() +
                " columns=" + schema.columnCount() + " given=" + sourceColumnOf.length);
        }
        for (int i = 0; i < sourceColumnOf.length; i++)
        {
            final int from = sourceColumnOf[i];
            if (from >= 0 && schema.type().properties().get(i).type() !=
                source.schema.type().properties().get(from).type())
            {
                throw new IllegalArgumentException("a view has the types of its source, type=" +
                    schema.type().name() + " column=" + schema.type().properties().get(i).name());
            }
        }
        final EventBatch view = new EventBatch(source, schema, sourceColumnOf);
        view.refreshFrom(source);
        return view;
    }

    /**
     * Updates a view with the current size, time, nulls, kinds, origins and sequences of its source. Allocates
     * nothing.
     *
     * @param source the batch that this view was created from
     * @throws IllegalArgumentException when it is another batch, or this is no view
     */
    public void refreshFrom(final EventBatch source)
    {
        if (sourceColumns == null || source.timestampsNs != timestampsNs)
        {
            throw new IllegalArgumentException("not a view of that batch, type=" + schema.type().name());
        }
        size = source.size;
        timestampPerRow = source.timestampPerRow;
        baseTimestampNs = source.baseTimestampNs;
        hasOrigins = source.hasOrigins;
        hasKinds = source.hasKinds;
        sequences = source.sequences;
        hasSequences = source.hasSequences;
        for (int i = 0; i < sourceColumns.length; i++)
        {
            final int from = sourceColumns[i];
            hasNulls[i] = from < 0 ? schema.storage(i).usesNullBitmap() : source.hasNulls[from];
        }
    }

    /**
     * Returns the schema.
     *
     * @return schema
     */
    public BatchSchema schema()
    {
        return schema;
    }

    /**
     * Returns the number of rows.
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

    /**
     * Clears the batch: no rows, no nulls, no kinds, no origins, no sequences, timestamps from base 0.
     *
     * @throws IllegalStateException when this is a view, whose arrays belong to another batch
     */
    public void clear()
    {
        if (sourceColumns != null)
        {
            throw new IllegalStateException("a view is read-only, type=" + schema.type().name());
        }
        size = 0;
        timestampPerRow = false;
        baseTimestampNs = 0;
        hasOrigins = false;
        hasKinds = false;
        hasSequences = false;
        for (int i = 0; i < hasNulls.length; i++)
        {
            if (hasNulls[i])
            {
                hasNulls[i] = false;
                Arrays.fill(nullBits[i], 0L);
            }
            if (texts[i] != null)
            {
                texts[i].clear();
            }
        }
    }

    /**
     * Returns the array of a column of {@link ColumnStorage#INT32}.
     *
     * @param column index from 0
     * @return the array itself, {@value #CAPACITY} long
     */
    public int[] ints(final int column)
    {
        return (int[])columns[column];
    }

    /**
     * Returns the array of a column of {@link ColumnStorage#INT64}.
     *
     * @param column index from 0
     * @return the array itself
     */
    public long[] longs(final int column)
    {
        return (long[])columns[column];
    }

    /**
     * Returns the array of a column of {@link ColumnStorage#FLOAT32}.
     *
     * @param column index from 0
     * @return the array itself
     */
    public float[] floats(final int column)
    {
        return (float[])columns[column];
    }

    /**
     * Returns the array of a column of {@link ColumnStorage#FLOAT64}.
     *
     * @param column index from 0
     * @return the array itself
     */
    public double[] doubles(final int column)
    {
        return (double[])columns[column];
    }

    /**
     * Returns the array of a column of {@link ColumnStorage#BIT}.
     *
     * @param column index from 0
     * @return the array itself, 0 or 1 per row
     */
    public byte[] bits(final int column)
    {
        return (byte[])columns[column];
    }

    /**
     * Returns the array of a column of {@link ColumnStorage#REFERENCE}.
     *
     * @param column index from 0
     * @return the array itself
     */
    public Object[] references(final int column)
    {
        return (Object[])columns[column];
    }

    /**
     * Returns the strings of a column of {@link ColumnStorage#TEXT}.
     *
     * @param column index from 0
     * @return the column itself, the same one in every filling; {@code null} when the column is not char
     */
    public CharColumn texts(final int column)
    {
        return texts[column];
    }

    /**
     * Returns the array of a column that is not char.
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
     * Returns the null bitmap of a column, one bit per row; a set bit means null. Only valid while
     * {@link #hasNulls(int)}.
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
            case TEXT -> texts[column].isNull(row);
            case REFERENCE -> references(column)[row] == null;
            default -> hasNulls[column] && (nullBits[column][row >> 6] & (1L << row)) != 0;
        };
    }

    /**
     * Sets a value to null, whatever the column's storage.
     *
     * @param column index from 0
     * @param row    index from 0
     */
    public void setNull(final int column, final int row)
    {
        switch (schema.storage(column))
        {
            case TEXT -> texts[column].setNull(row);
            case REFERENCE -> references(column)[row] = null;
            default ->
            {
                hasNulls[column] = true;
                nullBits[column][row >> 6] |= 1L << row;
            }
        }
    }

    /**
     * Clears a null set with {@link #setNull(int, int)}, when a writer overwrites the row before sending.
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
     * Whether each row has its own timestamp.
     *
     * @return false when row i is at {@link #baseTimestampNs()} + i
     */
    public boolean timestampPerRow()
    {
        return timestampPerRow;
    }

    /**
     * Returns the time of row 0 when the times of rows increase by 1 from it; the time of a heartbeat.
     *
     * @return nanoseconds
     */
    public long baseTimestampNs()
    {
        return baseTimestampNs;
    }

    /**
     * Sets the times of the rows to base, base + 1, ...
     *
     * @param timestampNs time of row 0
     */
    public void baseTimestampNs(final long timestampNs)
    {
        timestampPerRow = false;
        baseTimestampNs = timestampNs;
    }

    /**
     * Switches to one timestamp per row; the caller fills the array.
     *
     * @return the array itself, {@value #CAPACITY} long
     */
    public long[] useTimestampPerRow()
    {
        timestampPerRow = true;
        return timestampsNs;
    }

    /**
     * Returns the time of a row.
     *
     * @param row index from 0
     * @return nanoseconds
     */
    public long timestampNs(final int row)
    {
        return timestampPerRow ? timestampsNs[row] : baseTimestampNs + row;
    }

    /**
     * Returns the times of the rows. Only valid while {@link #timestampPerRow()}.
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
     * Enables origins; the caller fills the array.
     *
     * @return the array itself
     */
    public long[] useOrigins()
    {
        hasOrigins = true;
        return originsNs;
    }

    /**
     * Returns the times at which rows were due at their source, by the server's {@link dev.millrace.api.time.Clock}.
     * Only valid while {@link #hasOrigins()}.
     *
     * @return the array itself
     */
    public long[] originsNs()
    {
        return originsNs;
    }

    /**
     * Whether rows have the numbers that their producers gave them.
     *
     * @return true when {@link #sequences()} is filled
     */
    public boolean hasSequences()
    {
        return hasSequences;
    }

    /**
     * Enables sequences; the caller fills the array.
     *
     * @return the array itself, as {@link RowSequence} describes
     */
    public long[] useSequences()
    {
        if (ownSequences == null)
        {
            ownSequences = new long[CAPACITY];
        }
        sequences = ownSequences;
        hasSequences = true;
        return sequences;
    }

    /** Disables sequences: the rows have no numbers. */
    public void clearSequences()
    {
        hasSequences = false;
    }

    /**
     * Replaces the sequences by those of another stage, until the replaced ones are set again: a batch may be passed on
     * to several stages.
     *
     * @param others one per row, {@value #CAPACITY} long; {@code null} for none
     * @return the array so far; {@code null} if the rows had no numbers
     */
    public long[] replaceSequences(final long[] others)
    {
        final long[] before = hasSequences ? sequences : null;
        hasSequences = others != null;
        sequences = others == null ? sequences : others;
        return before;
    }

    /**
     * Returns producers and numbers of the rows. Only valid while {@link #hasSequences()}.
     *
     * @return the array itself
     */
    public long[] sequences()
    {
        return sequences;
    }

    /**
     * Whether rows have kinds; a batch without kinds holds inserts only.
     *
     * @return true when {@link #kinds()} is filled
     */
    public boolean hasKinds()
    {
        return hasKinds;
    }

    /**
     * Enables kinds; the caller fills the array.
     *
     * @return the array itself
     */
    public byte[] useKinds()
    {
        hasKinds = true;
        return kinds;
    }

    /** Disables kinds: every row is an insert. */
    public void clearKinds()
    {
        hasKinds = false;
    }

    /**
     * Returns the kinds of the rows. Only valid while {@link #hasKinds()}.
     *
     * @return the array itself
     */
    public byte[] kinds()
    {
        return kinds;
    }

    /**
     * Returns the kind of a row.
     *
     * @param row index from 0
     * @return {@link #INSERT}, {@link #DELETE} or {@link #UPDATE}
     */
    public byte kind(final int row)
    {
        return hasKinds ? kinds[row] : INSERT;
    }

    /**
     * Returns a value as an object. It boxes, so it is not for the event path.
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
            case TEXT -> texts[column].string(row);
            case REFERENCE -> references(column)[row];
        };
    }

    /**
     * Sets a value to an object of the type that {@link #value(int, int)} returns. Callers on the event path write to
     * the arrays, or pass objects that exist already.
     *
     * @param column index from 0
     * @param row    index from 0
     * @param value  boxed number, boolean, string or reference; {@code null} for null
     * @throws ClassCastException if the value is not of the type of the column
     */
    public void setValue(final int column, final int row, final Object value)
    {
        if (value == null)
        {
            setNull(column, row);
            return;
        }
        switch (schema.storage(column))
        {
            case INT32 -> ints(column)[row] = (Integer)value;
            case INT64 -> longs(column)[row] = (Long)value;
            case FLOAT32 -> floats(column)[row] = (Float)value;
            case FLOAT64 -> doubles(column)[row] = (Double)value;
            case BIT -> bits(column)[row] = (byte)((Boolean)value ? 1 : 0);
            case TEXT -> texts(column).set(row, (String)value);
            default -> references(column)[row] = value;
        }
        clearNull(column, row);
    }

    /**
     * Copies one row of a batch of an equal schema to a row of this one: values, nulls, kind, time, origin, sequence.
     * Afterwards the batch has one timestamp per row. Rows must be filled in ascending order. Not for the event path.
     *
     * @param source    batch to copy from
     * @param sourceRow its row
     * @param row       row of this batch
     */
    public void copyRow(final EventBatch source, final int sourceRow, final int row)
    {
        copyRows(source, sourceRow, row, 1);
    }

    /**
     * Returns the memory of the arrays that the batch always has, without longer strings and objects.
     *
     * @return bytes
     */
    public long sizeBytes()
    {
        long bytes = CAPACITY * (2L * Long.BYTES + Byte.BYTES);
        for (int i = 0; i < columns.length; i++)
        {
            bytes += CAPACITY * switch (schema.storage(i))
            {
                case INT64, FLOAT64 -> (long)Long.BYTES;
                case BIT -> (long)Byte.BYTES;
                // Head, length and offset of a string.
                case TEXT -> Long.BYTES + 3L * Integer.BYTES;
                case INT32, FLOAT32, REFERENCE -> (long)Integer.BYTES;
            };
        }
        return bytes;
    }

    /**
     * Returns the memory that longer strings have used in this filling or an earlier one.
     *
     * @return bytes
     */
    public long textBytes()
    {
        long bytes = 0;
        for (final CharColumn each : texts)
        {
            bytes += each == null ? 0 : each.arrayBytes();
        }
        return bytes;
    }

    /**
     * Whether consecutive rows of another batch can be copied without more memory for longer strings.
     *
     * @param source    of an equal schema
     * @param sourceRow its first row
     * @param count     how many
     * @return false when an array must grow
     */
    public boolean hasRoomForTexts(final EventBatch source, final int sourceRow, final int count)
    {
        for (int i = 0; i < texts.length; i++)
        {
            if (texts[i] != null && !texts[i].hasRoom(source.texts[i], sourceRow, count))
            {
                return false;
            }
        }
        return true;
    }

    /** Releases the memory of longer strings; only while the batch is empty. */
    public void trimTexts()
    {
        for (final CharColumn each : texts)
        {
            if (each != null)
            {
                each.trim();
            }
        }
    }

    /**
     * Copies consecutive rows of a batch of an equal schema to rows of this one: values, nulls, kinds, times,
     * origins and sequences. Afterwards the batch has one timestamp per row. Rows must be filled in ascending order;
     * {@link #size(int)} is left to the caller. Allocates nothing.
     *
     * @param source    batch to copy from
     * @param sourceRow its first row
     * @param row       first row of this batch
     * @param count     how many
     */
    public void copyRows(final EventBatch source, final int sourceRow, final int row, final int count)
    {
        RowCopy.rows(source, sourceRow, this, row, count);
    }

    /**
     * Copies selected rows of a batch of an equal schema to consecutive rows of this one, like {@link #copyRows}.
     * Allocates nothing.
     *
     * @param source    batch to copy from
     * @param selection rows of the source, ascending
     * @param from      first index in the selection
     * @param row       first row of this batch
     * @param count     how many
     */
    public void copySelected(
        final EventBatch source, final int[] selection, final int from, final int row, final int count)
    {
        RowCopy.selected(source, selection, from, this, row, count);
    }
}
