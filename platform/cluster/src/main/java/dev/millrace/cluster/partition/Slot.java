package dev.millrace.cluster.partition;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;

/** Rows on their way to another member, or a mark between them. Guarded by the link that has it. */
final class Slot
{
    final EventBatch batch;
    /** Of the rows; of a mark the one that begins. */
    long epoch;
    /** The source that they come from; 0 where that does not matter. */
    int way;
    boolean isMark;
    /** Position on the link, from 1; 0 = not sent yet. */
    long sequence;

    Slot(final BatchSchema schema)
    {
        batch = new EventBatch(schema);
    }

    Slot begin(final long ofEpoch, final int ofWay, final boolean mark, final boolean timed)
    {
        batch.clear();
        if (timed)
        {
            batch.useTimestampPerRow();
        }
        epoch = ofEpoch;
        way = ofWay;
        isMark = mark;
        sequence = 0;
        return this;
    }
}
