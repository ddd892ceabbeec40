package dev.millrace.adapter.loadgen;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSender;
import java.util.Arrays;

/**
 * The one batch that an I/O thread fills from all its connections and sends when it is full or the round is over.
 * Owned by one thread; nothing is allocated after construction but for rejected rows.
 *
 * <p>Wire columns are numbered as they travel; {@link #column(int)} says which column of the batch each one fills.
 * Columns that do not travel are null.
 */
public final class RowBatch
{
    final EventBatch batch;
    /** When the rows were due. Stable, since the batch is reused. */
    final long[] originsNs;
    /** Rows filled so far; below {@link EventBatch#CAPACITY} between two rows. */
    int row;

    private final EventBatchSender sender;
    private final int[] columns;
    private final int[] absentColumns;
    private final boolean[] mayBeNull;
    private long rowsSent;
    private long rowsRejected;

    /**
     * Makes an empty batch of the sender's schema.
     *
     * @param sender  where full batches go
     * @param columns the batch column of each wire column, each at most once
     */
    public RowBatch(final EventBatchSender sender, final int[] columns)
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
     * The batch columns that a comma list of property names stands for.
     *
     * @param type  event type
     * @param names comma list, or {@code null} or blank for all properties in order
     * @return batch column of each wire column
     * @throws IllegalArgumentException with a code when a name is unknown or doubled, or a type cannot travel
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
                throw new IllegalArgumentException("LDG-0105 eventPropertyNames names " +
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
     * Number of columns that travel.
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

    /** Sends the rows filled so far, if any; afterwards the batch is empty. */
    public void flush()
    {
        if (row > 0)
        {
            final int rows = row;
            row = 0;
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
     * Counts rows turned away.
     *
     * @param rows    how many
     * @param refusal why
     * @param fact    what a user needs to find the cause
     */
    void reject(final int rows, final Refusal refusal, final String fact)
    {
        rowsRejected += rows;
        sender.reject(rows, refusal.reason(), refusal.code() + " " + fact);
    }

    /** Takes back nulls of the row being filled, which is not going to be sent. */
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

    /**
     * Rows handed on.
     *
     * @return rows since construction, without those still in the batch
     */
    public long rowsSent()
    {
        return rowsSent;
    }

    /**
     * Rows turned away, connections counted as one row each.
     *
     * @return rows since construction
     */
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
