package dev.millrace.cluster.partition.link;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;

/** Rows or a marker in flight to another member. Guarded by the owning link. */
public final class SendEntry
{
    final Kind kind;
    /** {@code null} for markers. */
    public final EventBatch batch;
    /** Epoch of the rows; for an epoch marker, the epoch that begins. */
    long epoch;
    /** The source of the rows, or the source that ends; 0 when it does not matter. */
    public int way;
    /** Position on the link, starting at 1; 0 = not sent yet. */
    long sequence;
    /** Bytes that the queue has charged for this slot. */
    long chargedBytes;

    /** Kind of slot. */
    enum Kind
    {
        /** Rows of one source. */
        ROWS,
        /** No row of an earlier epoch follows. */
        MARK,
        /** No row of a source follows. */
        END
    }

    private SendEntry(final Kind kind, final EventBatch batch)
    {
        this.kind = kind;
        this.batch = batch;
    }

    /** Creates a slot for rows; call {@link #begin} before use. */
    public static SendEntry rows(final BatchSchema schema)
    {
        return new SendEntry(Kind.ROWS, new EventBatch(schema));
    }

    static SendEntry mark(final long epoch)
    {
        final SendEntry slot = new SendEntry(Kind.MARK, null);
        slot.epoch = epoch;
        return slot;
    }

    static SendEntry end(final int way)
    {
        final SendEntry slot = new SendEntry(Kind.END, null);
        slot.way = way;
        return slot;
    }

    /** Resets a slot for rows. */
    public SendEntry begin(final long ofEpoch, final int ofWay, final boolean timed)
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

    /** Number of rows. */
    int size()
    {
        return batch == null ? 0 : batch.size();
    }
}
