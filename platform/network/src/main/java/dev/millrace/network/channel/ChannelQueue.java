package dev.millrace.network.channel;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.network.channel.step.BatchStep;
import dev.millrace.network.lane.Deadline;
import java.util.concurrent.TimeUnit;

/**
 * The bounded queue of a channel: a ring of preallocated columnar batches. Producers append rows to the last batch. A
 * consumer takes the whole first batch and leaves its own empty one in the slot, so rows are copied once and nothing is
 * allocated.
 *
 * <p>Threads: any number of producers and consumers; one monitor. A producer that finds the queue full waits, and the
 * other producers wait after it, so rows of each producer and times across all producers stay in order. The bound
 * counts queued rows, not rows that a consumer has taken.
 *
 * <p>Memory: the slots are charged when they are created, and so is their growth for longer strings. While the instance
 * is short of memory, rows whose strings need more memory are left to the caller, and empty slots release memory.
 *
 * <p>Heartbeats need no capacity: a heartbeat after rows is recorded in the batch that holds them, and dropped when
 * more rows follow.
 */
final class ChannelQueue
{
    /** Means that no heartbeat follows the rows of a slot. */
    static final long NO_HEARTBEAT = Long.MIN_VALUE;

    /** A batch in the queue. */
    static final class Slot
    {
        final EventBatch batch;
        long heartbeatNs = NO_HEARTBEAT;
        /** Bytes charged for longer strings. */
        private long chargedBytes;

        Slot(final BatchSchema schema)
        {
            batch = new EventBatch(schema);
        }

        void clear()
        {
            batch.clear();
            heartbeatNs = NO_HEARTBEAT;
        }
    }

    private final BatchSchema schema;
    private final int maxRows;
    private final int rowsPerSlot;
    private final boolean rejectsWhenFull;
    private final MemoryAccount memory;
    private final Slot[] ring;
    private int first;
    private int usedSlots;
    private int rows;
    private int busyConsumers;
    private long waits;
    private boolean producing;
    /** Whether rows of the last batch found no memory. */
    private boolean lacksMemory;
    private boolean closed;

    /**
     * @param maxRows         bound, at least 1
     * @param consumers       number of consumer threads; with several, slots are small enough that all of them get work
     * @param rejectsWhenFull whether rows that find no room are left to the caller instead of waiting
     * @param memory          is charged for the slots and their growth for longer strings
     */
    ChannelQueue(final BatchSchema schema, final int maxRows, final int consumers, final boolean rejectsWhenFull,
        final MemoryAccount memory)
    {
        this.memory = memory;
        this.rejectsWhenFull = rejectsWhenFull;
        this.schema = schema;
        this.maxRows = maxRows;
        rowsPerSlot = consumers == 1 ? EventBatch.CAPACITY :
            Math.max(1, Math.min(EventBatch.CAPACITY, maxRows / (2 * consumers)));
        ring = new Slot[(maxRows + rowsPerSlot - 1) / rowsPerSlot + 1];
        for (int i = 0; i < ring.length; i++)
        {
            ring[i] = newSlot();
        }
    }

    /** Returns an empty slot for a consumer to begin with. */
    synchronized Slot newSlot()
    {
        final Slot slot = new Slot(schema);
        memory.charge(slot.batch.sizeBytes());
        return slot;
    }

    /**
     * Applies a channel's steps to a batch and appends the remaining rows; waits while the queue is full.
     *
     * @param steps steps of the lane
     * @param batch rows or a heartbeat
     * @return number of rows that were not accepted because the queue was closed, or was full and rejects when full;
     *     negative for rows whose strings found no memory
     */
    synchronized int put(final BatchStep[] steps, final EventBatch batch)
    {
        boolean interrupted = false;
        while (producing && !closed)
        {
            interrupted |= !waitOnce();
        }
        final EventBatch result = closed ? null : ChannelInlet.applyAll(steps, batch);
        int refused = closed ? batch.size() : 0;
        if (result != null)
        {
            producing = true;
            int row = 0;
            boolean isRejected = false;
            lacksMemory = false;
            while (row < result.size() && !closed && !isRejected)
            {
                final int appended = append(result, row);
                row += appended;
                if (appended == 0 && (rejectsWhenFull || lacksMemory))
                {
                    isRejected = true;
                }
                else if (appended == 0)
                {
                    waits++;
                    interrupted |= !waitOnce();
                }
            }
            refused = lacksMemory ? row - result.size() : result.size() - row;
            if (result.size() == 0)
            {
                appendHeartbeat(result.baseTimestampNs());
            }
            producing = false;
            notifyAll();
        }
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
        return refused;
    }

    /** Whether a heartbeat would be useful: no producer is inside and no row waits. */
    synchronized boolean isIdle()
    {
        return !producing && rows == 0 && !closed;
    }

    private int append(final EventBatch batch, final int fromRow)
    {
        final int room = maxRows - rows;
        Slot last = usedSlots == 0 ? null : ring[(first + usedSlots - 1) % ring.length];
        if (room == 0 || (last == null || last.batch.size() >= rowsPerSlot) && usedSlots == ring.length)
        {
            return 0;
        }
        if (last == null || last.batch.size() >= rowsPerSlot)
        {
            last = ring[(first + usedSlots) % ring.length];
            usedSlots++;
        }
        final int size = last.batch.size();
        final int count = Math.min(room, Math.min(rowsPerSlot - size, batch.size() - fromRow));
        if (memory.isShort() && !last.batch.hasRoomForTexts(batch, fromRow, count) && !trim())
        {
            lacksMemory = true;
            return 0;
        }
        last.batch.copyRows(batch, fromRow, size, count);
        last.batch.size(size + count);
        last.heartbeatNs = NO_HEARTBEAT;
        rows += count;
        charge(last);
        notifyAll();
        return count;
    }

    /** Charges or releases the change in memory for longer strings. */
    private void charge(final Slot slot)
    {
        final long bytes = slot.batch.textBytes();
        if (bytes > slot.chargedBytes)
        {
            memory.charge(bytes - slot.chargedBytes);
        }
        else if (bytes < slot.chargedBytes)
        {
            memory.release(slot.chargedBytes - bytes);
        }
        slot.chargedBytes = bytes;
    }

    /** Releases memory that empty slots keep for longer strings; returns whether that was enough. */
    private boolean trim()
    {
        for (int i = usedSlots; i < ring.length; i++)
        {
            final Slot slot = ring[(first + i) % ring.length];
            slot.batch.trimTexts();
            charge(slot);
        }
        return !memory.isShort();
    }

    private void appendHeartbeat(final long timestampNs)
    {
        if (usedSlots == 0)
        {
            usedSlots = 1;
        }
        ring[(first + usedSlots - 1) % ring.length].heartbeatNs = timestampNs;
    }

    /**
     * Takes the first slot; waits for one.
     *
     * @param spare the consumer's slot; it is emptied and replaces the slot that is taken
     * @return the slot, or {@code null} when the queue is closed and empty
     */
    synchronized Slot take(final Slot spare)
    {
        boolean interrupted = false;
        while (usedSlots == 0 && !closed)
        {
            interrupted |= !waitOnce();
        }
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
        if (usedSlots == 0)
        {
            return null;
        }
        spare.clear();
        if (memory.isShort())
        {
            spare.batch.trimTexts();
        }
        charge(spare);
        final Slot taken = ring[first];
        ring[first] = spare;
        first = (first + 1) % ring.length;
        usedSlots--;
        rows -= taken.batch.size();
        busyConsumers++;
        notifyAll();
        return taken;
    }

    /** Reports that a consumer has processed the slot it took. */
    synchronized void done()
    {
        busyConsumers--;
        if (busyConsumers == 0 && usedSlots == 0)
        {
            notifyAll();
        }
    }

    /** Waits until all rows put so far are processed; false when the deadline passed first. */
    synchronized boolean awaitDrained(final Deadline deadline)
    {
        boolean interrupted = false;
        while ((usedSlots > 0 || busyConsumers > 0 || producing) && !deadline.hasPassed())
        {
            try
            {
                wait(deadline.remainingMs());
            }
            catch (final InterruptedException e)
            {
                interrupted = true;
            }
        }
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
        return usedSlots == 0 && busyConsumers == 0 && !producing;
    }

    /**
     * Accepts no more rows; consumers end when they have taken the remaining ones.
     *
     * @param discard whether to discard the remaining rows
     * @return rows discarded
     */
    synchronized int close(final boolean discard)
    {
        closed = true;
        int discarded = 0;
        if (discard)
        {
            discarded = rows;
            rows = 0;
            usedSlots = 0;
        }
        notifyAll();
        return discarded;
    }

    /** The explanation for the user when memory is short. */
    String shortage()
    {
        return memory.shortage();
    }

    /** Number of waiting rows. */
    synchronized int rows()
    {
        return rows;
    }

    /** Whether it was closed permanently. */
    synchronized boolean isClosed()
    {
        return closed;
    }

    /** How often a producer found the queue full. */
    synchronized long waits()
    {
        return waits;
    }

    private boolean waitOnce()
    {
        try
        {
            wait(TimeUnit.SECONDS.toMillis(1));
            return true;
        }
        catch (final InterruptedException e)
        {
            return false;
        }
    }
}
