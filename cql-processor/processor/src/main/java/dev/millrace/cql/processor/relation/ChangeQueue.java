package dev.millrace.cql.processor.relation;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Queue of changes of a relation for one pipeline instance: a ring of {@value #CAPACITY_ROWS} rows with kinds.
 *
 * <p>Threads: a single writer at a time and a single reader; neither blocks. The reader reads rows directly from the
 * ring and releases them with {@link #advance()}.
 */
final class ChangeQueue
{
    /** Maximum number of queued changes. */
    static final int CAPACITY_ROWS = 4 * EventBatch.CAPACITY;

    private final EventBatch[] blocks = new EventBatch[CAPACITY_ROWS / EventBatch.CAPACITY];
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong read = new AtomicLong();

    ChangeQueue(final BatchSchema schema)
    {
        for (int i = 0; i < blocks.length; i++)
        {
            blocks[i] = new EventBatch(schema);
        }
    }

    /**
     * Adds a change.
     *
     * @param rows batch that contains the row
     * @param row  its index
     * @param kind {@link EventBatch#UPDATE} to put, {@link EventBatch#DELETE} to remove
     * @return false if the queue is full
     */
    boolean offer(final EventBatch rows, final int row, final byte kind)
    {
        final long position = written.getPlain();
        if (position - read.getAcquire() == CAPACITY_ROWS)
        {
            return false;
        }
        final EventBatch block = block(position);
        block.copyRow(rows, row, slot(position));
        block.useKinds()[slot(position)] = kind;
        written.setRelease(position + 1);
        return true;
    }

    boolean isEmpty()
    {
        return read.getPlain() == written.getAcquire();
    }

    /**
     * The block of the oldest change; only valid while the queue is not empty.
     *
     * @return block, to be read at {@link #row()}
     */
    EventBatch rows()
    {
        return block(read.getPlain());
    }

    int row()
    {
        return slot(read.getPlain());
    }

    /** Releases the oldest change. */
    void advance()
    {
        read.setRelease(read.getPlain() + 1);
    }

    private EventBatch block(final long position)
    {
        return blocks[(int)(position / EventBatch.CAPACITY) % blocks.length];
    }

    private static int slot(final long position)
    {
        return (int)(position % EventBatch.CAPACITY);
    }
}
