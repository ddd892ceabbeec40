package dev.millrace.adapter.loadgen;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.EventBatchSender;
import java.util.Arrays;

/**
 * The single batch that an I/O thread fills from all its connections and sends when it is full or the round ends. Not
 * thread-safe. Allocates nothing after construction, except for rejected rows.
 *
 * <p>Wire columns are numbered in wire order; {@link #column(int)} returns the batch column that each one fills. Batch
 * columns without a wire column are null.
 */
public final class BatchAssembler
{
    final EventBatch batch;
    /** Due times of the rows. The array does not change, since the batch is reused. */
    final long[] originsNs;
    /** Number of rows filled; below {@link EventBatch#CAPACITY} between two rows. */
    int row;

    private final EventBatchSender sender;
    private final int[] columns;
    private final int[] absentColumns;
    private final boolean[] mayBeNull;
    private long rowsSent;
    private long rowsRejected;
    /** Sequence of the next row that is added; {@link RowSequence#NONE} if it gets none. */
    private long nextSequence;
    /** The last sequence that a row got. */
    private long lastSequence;
    /** First row of the batch that has no sequence yet. */
    private int numberedRows;

    /**
     * Creates an empty batch with the sender's schema.
     *
     * @param sender  receives full batches
     * @param columns the batch column of each wire column, each at most once
     */
    public BatchAssembler(final EventBatchSender sender, final int[] columns)
    {
        this.sender = sender;
        this.columns = columns.clone();
        final BatchSchema schema = sender.schema();
        batch = new EventBatch(schema);
        mayBeNull = new boolean[schema.columnCount()];
        for (int i = 0; i < mayBeNull.length; i++)
        {
            mayBeNull[i] = schema.storage(i).usesNullBitmap();
        }
        final boolean[] present = new boolean[schema.columnCount()];
        for (final int column : columns)
        {
            present[column] = true;
        }
        absentColumns = java.util.stream.IntStream.range(0, present.length)
            .filter(column -> !present[column] && mayBeNull[column]).toArray();
        originsNs = batch.useOrigins();
        begin();
    }

    /**
     * Resolves a comma-separated list of property names to batch columns.
     *
     * @param type  event type
     * @param names comma-separated list, or {@code null} or blank for all properties in order
     * @return batch column of each wire column
     * @throws IllegalArgumentException with a code when a name is unknown or duplicate, or a type is not supported
     */
    public static int[] columnsOf(final EventType type, final String names)
    {
        final String[] wanted = names == null || names.isBlank() ?
            type.properties().stream().map(EventProperty::name).toArray(String[]::new) : names.split(",", -1);
        final int[] columns = new int[wanted.length];
        for (int i = 0; i < wanted.length; i++)
        {
            final String name = wanted[i].strip();
            final int column = type.indexOf(name);
            if (column < 0 || Arrays.stream(columns, 0, i).anyMatch(other -> other == column))
            {
                throw new IllegalArgumentException("LDG-0105 eventPropertyNames contains " +
                    (column < 0 ? "an unknown property" : "a property twice") + ", property=" + name + " type=" +
                    type + "; list properties of the event type in the order of the columns sent");
            }
            final EventProperty property = type.properties().get(column);
            if (WireType.carrying(property.type()) == null)
            {
                throw new IllegalArgumentException("LDG-0106 a property of this type cannot be filled by this " +
                    "adapter, property=" + name + " type=" + property.type().cqlName() +
                    "; leave it out of eventPropertyNames and it will be null");
            }
            columns[i] = column;
        }
        return columns;
    }

    /**
     * Number of wire columns.
     *
     * @return at least 1
     */
    public int columnCount()
    {
        return columns.length;
    }

    /**
     * The batch column that a wire column fills.
     *
     * @param wireColumn from 0
     * @return column index
     */
    public int column(final int wireColumn)
    {
        return columns[wireColumn];
    }

    /**
     * The event property that a wire column fills.
     *
     * @param wireColumn from 0
     * @return property
     */
    public EventProperty property(final int wireColumn)
    {
        return batch.schema().type().properties().get(columns[wireColumn]);
    }

    /**
     * The number up to which the stages below have stored the rows of a producer, as
     * {@link EventBatchSender#receivedFrom} returns it.
     */
    long receivedFrom(final String producer)
    {
        return sender.receivedFrom(producer);
    }

    /**
     * Numbers the rows that are added from now on.
     *
     * @param sequence of the next row; {@link RowSequence#NONE} for rows without numbers
     */
    void numberFrom(final long sequence)
    {
        numberRows();
        nextSequence = sequence;
    }

    /** Numbers the rows added so far. Returns the sequence of the next one. */
    long endNumbering()
    {
        numberRows();
        final long next = nextSequence;
        nextSequence = RowSequence.NONE;
        return next;
    }

    /** The sequence of the last row that got one; rows that were rejected get none. */
    long lastSequence()
    {
        return lastSequence;
    }

    private void numberRows()
    {
        if (numberedRows < row && (nextSequence != RowSequence.NONE || batch.hasSequences()))
        {
            if (!batch.hasSequences())
            {
                Arrays.fill(batch.useSequences(), 0, numberedRows, RowSequence.NONE);
            }
            final int step = nextSequence == RowSequence.NONE ? 0 : 1;
            for (int i = numberedRows; i < row; i++)
            {
                batch.sequences()[i] = nextSequence;
                nextSequence += step;
            }
            lastSequence = step == 0 ? lastSequence : nextSequence - 1;
        }
        numberedRows = row;
    }

    /** Sends the rows filled so far, if any; afterwards the batch is empty. */
    public void flush()
    {
        if (row > 0)
        {
            numberRows();
            final int rows = row;
            row = 0;
            numberedRows = 0;
            batch.size(rows);
            try
            {
                sender.send(batch);
                rowsSent += rows;
            }
            finally
            {
                begin();
            }
        }
    }

    /**
     * Counts rejected rows.
     *
     * @param rows    number of rows
     * @param refusal reason
     * @param fact    details that help a user find the cause
     */
    void reject(final int rows, final InputRejectReason refusal, final String fact)
    {
        numberRows();
        nextSequence += nextSequence == RowSequence.NONE ? 0 : rows;
        rowsRejected += rows;
        sender.reject(rows, refusal.reason(), refusal.code() + " " + fact);
    }

    /** Clears the nulls of the current row, which is not sent. */
    void abandonRow()
    {
        for (final int column : columns)
        {
            if (mayBeNull[column])
            {
                batch.clearNull(column, row);
            }
        }
    }

    /** Number of rows sent since construction, without those still in the batch. */
    public long rowsSent()
    {
        return rowsSent;
    }

    /** Number of rows rejected since construction; a connection counts as one row. */
    public long rowsRejected()
    {
        return rowsRejected;
    }

    private void begin()
    {
        batch.clear();
        batch.useOrigins();
        for (final int column : absentColumns)
        {
            batch.setNull(column, 0);
            Arrays.fill(batch.nullBits(column), -1L);
        }
    }
}
