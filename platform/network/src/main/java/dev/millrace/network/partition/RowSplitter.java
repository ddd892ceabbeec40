package dev.millrace.network.partition;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import java.util.Arrays;

/**
 * Finds the owners of the rows of a batch: one look-up per row, and lists of row indexes where several members own
 * rows. Not thread-safe.
 */
public final class RowSplitter
{
    private final PartitionHash hash;
    private final short[] partitions = new short[EventBatch.CAPACITY];
    private final short[] owners = new short[EventBatch.CAPACITY];
    private final BatchSchema schema;
    private int[][] rowsOf = new int[0][];
    private int[] counts = new int[0];
    private EventBatch own;

    /**
     * Creates a splitter for batches of one schema.
     *
     * @param schema of the batches
     * @param column index of the partition key
     */
    public RowSplitter(final BatchSchema schema, final int column)
    {
        this.schema = schema;
        hash = new PartitionHash(schema, column);
    }

    /**
     * Finds the owner of each row.
     *
     * @param batch   rows
     * @param ownerOf owner of each partition, numbers from 0
     * @param members number of owners
     * @param self    one of them, or -1
     * @return whether all rows belong to {@code self}; otherwise {@link #count} and {@link #rows} return the lists
     */
    public boolean split(final EventBatch batch, final short[] ownerOf, final int members, final int self)
    {
        hash.partitions(batch, partitions);
        final int size = batch.size();
        int others = 0;
        for (int row = 0; row < size; row++)
        {
            final short owner = ownerOf[partitions[row]];
            owners[row] = owner;
            others |= owner ^ self;
        }
        if (others == 0)
        {
            return true;
        }
        if (members > counts.length)
        {
            counts = new int[members];
            rowsOf = new int[members][EventBatch.CAPACITY];
        }
        Arrays.fill(counts, 0);
        for (int row = 0; row < size; row++)
        {
            final int owner = owners[row];
            rowsOf[owner][counts[owner]++] = row;
        }
        return false;
    }

    /**
     * Returns the number of rows of an owner, after {@link #split} returned false.
     *
     * @param owner number
     * @return how many
     */
    public int count(final int owner)
    {
        return counts[owner];
    }

    /**
     * Returns the rows of an owner, after {@link #split} returned false.
     *
     * @param owner number
     * @return row indexes, ascending, {@link #count} of them; the array belongs to this object
     */
    public int[] rows(final int owner)
    {
        return rowsOf[owner];
    }

    /**
     * Returns the rows of an owner as a batch.
     *
     * @param batch that was split
     * @param owner number
     * @return a batch of this object, valid until the next call
     */
    public EventBatch batch(final EventBatch batch, final int owner)
    {
        if (own == null)
        {
            own = new EventBatch(schema);
        }
        own.clear();
        if (batch.timestampPerRow())
        {
            own.useTimestampPerRow();
        }
        own.copySelected(batch, rowsOf[owner], 0, 0, counts[owner]);
        own.size(counts[owner]);
        return own;
    }
}
