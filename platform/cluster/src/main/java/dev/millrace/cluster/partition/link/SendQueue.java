package dev.millrace.cluster.partition.link;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Data in flight to one other member, in order: batches to be sent, sent batches without acknowledgement, markers and
 * end markers between them, and the latest time of each source. The queue outlives connections.
 *
 * <p>Bounded: at most {@value #MAX_SLOTS} batches. When it is full, the caller waits outside and tries again. Only rows
 * of a member that has left may exceed the limit. Batches are charged to the memory budget; while the budget is
 * exhausted, a non-empty queue counts as full.
 *
 * <p>Thread-safe, except {@link #take}, which is confined to the sending thread.
 */
public final class SendQueue
{
    /** Maximum number of batches that are queued or not acknowledged. */
    public static final int MAX_SLOTS = 64;

    private final BatchSchema schema;
    private final boolean timed;
    private final MemoryAccount memory;
    private final Runnable progress;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Deque<SendEntry> queued = new ArrayDeque<>();
    private final Deque<SendEntry> unacknowledged = new ArrayDeque<>();
    private final Deque<SendEntry> spare = new ArrayDeque<>();
    private final Map<Integer, Long> times = new HashMap<>();
    /** Times already sent; they are not acknowledged, so they are sent again after a reconnect. */
    private final Map<Integer, Long> timesSent = new HashMap<>();
    /** Sources that the other side knows or will know. */
    private final Set<Integer> ways = new HashSet<>();
    private long lastSequence;
    private boolean wasFull;
    private boolean closed;
    private long rowsSent;
    private long rowsSentAgain;

    /**
     * Creates an empty queue.
     *
     * @param timed    whether rows have timestamps
     * @param memory   charged for batches; closed with the queue
     * @param progress called when the queue has free slots again or is empty
     */
    public SendQueue(final BatchSchema schema, final boolean timed, final MemoryAccount memory, final Runnable progress)
    {
        this.memory = memory;
        this.schema = schema;
        this.timed = timed;
        this.progress = progress;
    }

    /**
     * Appends as many rows as the queue can hold.
     *
     * @return number of rows accepted
     */
    public int append(final int way, final long epoch, final EventBatch batch, final int[] rows, final int from,
        final int count)
    {
        lock.lock();
        try
        {
            return append(way, epoch, batch, rows, from, count, MAX_SLOTS);
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Appends rows of a member that has left, regardless of the limit.
     *
     * @return number of rows accepted: all, or 0 after {@link #close}
     */
    public int appendAgain(final int way, final long epoch, final EventBatch batch, final int[] rows, final int count)
    {
        lock.lock();
        try
        {
            return append(way, epoch, batch, rows, 0, count, Integer.MAX_VALUE);
        }
        finally
        {
            lock.unlock();
        }
    }

    private int append(final int way, final long epoch, final EventBatch batch, final int[] rows, final int from,
        final int count, final int maxSlots)
    {
        int done = 0;
        while (done < count && !closed)
        {
            final SendEntry slot = slotFor(way, epoch, maxSlots);
            if (slot == null)
            {
                wasFull = true;
                break;
            }
            final int size = slot.batch.size();
            final int taken = Math.min(count - done, EventBatch.CAPACITY - size);
            slot.batch.copySelected(batch, rows, from + done, size, taken);
            slot.batch.size(size + taken);
            charge(slot);
            done += taken;
        }
        if (done > 0)
        {
            work.signal();
        }
        return done;
    }

    /** The last slot if it can hold more rows, otherwise a new one; {@code null} when the limit is reached. */
    private SendEntry slotFor(final int way, final long epoch, final int maxSlots)
    {
        final SendEntry last = queued.peekLast();
        if (last != null && last.hasRows() && last.sequence == 0 && last.epoch == epoch && last.way == way &&
            last.batch.size() < EventBatch.CAPACITY)
        {
            return last;
        }
        final int slots = queued.size() + unacknowledged.size();
        final boolean lacksMemory = slots > 0 && maxSlots == MAX_SLOTS && spare.isEmpty() && memory.isShort();
        return slots < maxSlots && !lacksMemory ? newSlot(epoch, way) : null;
    }

    /** Charges or releases the change in size of a batch. */
    private void charge(final SendEntry slot)
    {
        final long bytes = slot.batch.sizeBytes() + slot.batch.textBytes();
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

    private SendEntry newSlot(final long epoch, final int way)
    {
        final SendEntry known = spare.poll();
        final SendEntry slot = (known == null ? SendEntry.rows(schema) : known).begin(epoch, way, timed);
        queued.add(slot);
        ways.add(way);
        return slot;
    }

    /** Appends a marker: no row of an earlier epoch follows. */
    public void mark(final long epoch)
    {
        lock.lock();
        try
        {
            if (!closed)
            {
                queued.add(SendEntry.mark(epoch));
                work.signal();
            }
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Appends an end marker for a source if the other side knows the source. */
    public void end(final int way)
    {
        lock.lock();
        try
        {
            times.remove(way);
            timesSent.remove(way);
            if (ways.remove(way) && !closed)
            {
                queued.add(SendEntry.end(way));
                work.signal();
            }
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Records the time that a source has reached. */
    public void time(final int way, final long timeNs)
    {
        lock.lock();
        try
        {
            times.merge(way, timeNs, Math::max);
            work.signal();
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Whether all rows have been acknowledged. */
    public boolean isDrained()
    {
        lock.lock();
        try
        {
            return Stream.concat(unacknowledged.stream(), queued.stream()).noneMatch(SendEntry::hasRows);
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Closes the queue.
     *
     * @return rows without acknowledgement, in order
     */
    public List<SendEntry> close()
    {
        lock.lock();
        try
        {
            closed = true;
            work.signalAll();
            final List<SendEntry> left = new ArrayList<>(unacknowledged);
            left.addAll(queued);
            unacknowledged.clear();
            queued.clear();
            left.removeIf(slot -> !slot.hasRows());
            spare.clear();
            memory.close();
            return left;
        }
        finally
        {
            lock.unlock();
        }
    }

    public boolean isClosed()
    {
        lock.lock();
        try
        {
            return closed;
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Prepares a new connection: rows that the other side has received are removed, rows that it rejects are returned,
     * and all others are sent again.
     *
     * @param welcome response of the other side
     * @param back    receives rejected rows, under the lock: a thread that sees the queue drained must find them there
     */
    public void resume(final Handshake.Welcome welcome, final Consumer<List<SendEntry>> back)
    {
        lock.lock();
        try
        {
            acknowledge(welcome.lastSequence());
            while (!unacknowledged.isEmpty())
            {
                final SendEntry slot = unacknowledged.pollLast();
                rowsSentAgain += slot.size();
                queued.addFirst(slot);
            }
            final List<SendEntry> refused = new ArrayList<>();
            queued.removeIf(slot -> slot.hasRows() && slot.epoch < welcome.floor() && refused.add(slot));
            refused.forEach(slot -> memory.release(slot.chargedBytes));
            timesSent.forEach((way, timeNs) -> times.merge(way, timeNs, Math::max));
            back.accept(refused);
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Waits for something to send. A slot that was taken gets no more rows.
     *
     * @param taken  receives batches and markers
     * @param passed receives times that are valid after these batches
     * @param isOver whether the connection has ended; {@link #wake} causes a new check
     * @return false when nothing more is to be sent on this connection
     */
    public boolean take(final List<SendEntry> taken, final Map<Integer, Long> passed, final BooleanSupplier isOver)
    {
        taken.clear();
        passed.clear();
        lock.lock();
        try
        {
            while (queued.isEmpty() && times.isEmpty() && !closed && !isOver.getAsBoolean())
            {
                work.await();
            }
            while (!queued.isEmpty() && taken.size() < MAX_SLOTS)
            {
                final SendEntry slot = queued.poll();
                if (slot.sequence == 0)
                {
                    slot.sequence = ++lastSequence;
                    rowsSent += slot.size();
                }
                unacknowledged.add(slot);
                taken.add(slot);
            }
            if (queued.isEmpty())
            {
                passed.putAll(times);
                ways.addAll(times.keySet());
                times.forEach((way, timeNs) -> timesSent.merge(way, timeNs, Math::max));
                times.clear();
            }
            return !closed && !isOver.getAsBoolean();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            return false;
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Removes slots up to a position that the other side has acknowledged. */
    public void acknowledge(final long sequence)
    {
        lock.lock();
        try
        {
            while (!unacknowledged.isEmpty() && unacknowledged.peek().sequence <= sequence)
            {
                final SendEntry done = unacknowledged.poll();
                if (done.hasRows() && spare.size() < MAX_SLOTS && !memory.isShort())
                {
                    spare.add(done);
                }
                else if (done.hasRows())
                {
                    memory.release(done.chargedBytes);
                }
            }
            if (wasFull || unacknowledged.isEmpty() && queued.isEmpty())
            {
                wasFull = false;
                progress.run();
            }
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Wakes the sending thread so that it checks whether its connection has ended. */
    public void wake()
    {
        lock.lock();
        try
        {
            work.signalAll();
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Waits for the given time or until the queue changes. */
    public void pause(final long timeNs)
    {
        lock.lock();
        try
        {
            if (!closed)
            {
                work.awaitNanos(timeNs);
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        finally
        {
            lock.unlock();
        }
    }

    public long rowsSent()
    {
        lock.lock();
        try
        {
            return rowsSent;
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Number of sent rows that were sent again because a connection broke. */
    public long rowsSentAgain()
    {
        lock.lock();
        try
        {
            return rowsSentAgain;
        }
        finally
        {
            lock.unlock();
        }
    }
}
