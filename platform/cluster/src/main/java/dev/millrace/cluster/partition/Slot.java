package dev.millrace.cluster.partition;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;

/** Rows on their way to another member, or a word between them. Guarded by the link that has it. */
final class Slot
{
    final Kind kind;
    /** {@code null} where there are no rows. */
    final EventBatch batch;
    /** Of the rows; of a mark the one that begins. */
    long epoch;
    /** The source that they come from, or that ends; 0 where that does not matter. */
    int way;
    /** Position on the link, from 1; 0 = not sent yet. */
    long sequence;
    /** What the queue that has it was charged for it. */
    long chargedBytes;

    /** What it is. */
    enum Kind
    {
        /** Rows of one source. */
        ROWS,
        /** No row of an earlier epoch follows. */
        MARK,
        /** No row of a source follows. */
        END
    }

    private Slot(final Kind kind, final EventBatch batch)
    {
        this.kind = kind;
        this.batch = batch;
    }

    /** Room for rows, to be begun. */
    static Slot rows(final BatchSchema schema)
    {
        return new Slot(Kind.ROWS, new EventBatch(schema));
    }

    static Slot mark(final long epoch)
    {
        final Slot slot = new Slot(Kind.MARK, null);
        slot.epoch = epoch;
        return slot;
    }

    static Slot end(final int way)
    {
        final Slot slot = new Slot(Kind.END, null);
        slot.way = way;
        return slot;
    }

    /** Empties one that has room for rows. */
    Slot begin(final long ofEpoch, final int ofWay, final boolean timed)
    {
        batch.clear();
        if (timed)
        {
            batch.useTimestampPerRow();
        }
        epoch = ofEpoch;
        way = ofWay;
        sequence = 0;
        return this;
    }

    boolean hasRows()
    {
        return kind == Kind.ROWS;
    }

    /** How many rows. */
    int size()
    {
        return batch == null ? 0 : batch.size();
    }
}
