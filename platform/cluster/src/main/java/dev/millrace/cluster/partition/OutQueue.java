package dev.millrace.cluster.partition;

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
 * What is on its way to one other member, in order: batches that wait, batches that were sent and are kept until they
 * are acknowledged, marks and ends of ways between them, and how far the times of the ways have come. It outlives
 * connections.
 *
 * <p>Bounded: at most {@value #MAX_SLOTS} batches; whoever finds it full waits elsewhere and comes back. Only rows of a
 * member that is gone are taken beyond that. Batches are charged to the memory budget; while that is used up, the queue
 * is full with the batches that it has.
 *
 * <p>Safe for all threads; {@link #take} is for the one that sends.
 */
final class OutQueue
{
    /** Batches that are queued or not acknowledged. */
    static final int MAX_SLOTS = 64;

    private final BatchSchema schema;
    private final boolean timed;
    private final MemoryAccount memory;
    private final Runnable progress;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Deque<Slot> queued = new ArrayDeque<>();
    private final Deque<Slot> unacknowledged = new ArrayDeque<>();
    private final Deque<Slot> spare = new ArrayDeque<>();
    private final Map<Integer, Long> times = new HashMap<>();
    /** What was said of times, for nobody acknowledges that. */
    private final Map<Integer, Long> timesSent = new HashMap<>();
    /** Of which the other side knows, or will. */
    private final Set<Integer> ways = new HashSet<>();
    private long lastSequence;
    private boolean wasFull;
    private boolean closed;
    private long rowsSent;
    private long rowsSentAgain;

    /**
     * Makes an empty one.
     *
     * @param schema   of the rows
     * @param timed    whether rows have their times
     * @param memory   is charged for batches; closed with the queue
     * @param progress is called when there is room again, or nothing more on its way
     */
    OutQueue(final BatchSchema schema, final boolean timed, final MemoryAccount memory, final Runnable progress)
    {
        this.memory = memory;
        this.schema = schema;
        this.timed = timed;
        this.progress = progress;
    }

    /**
     * Appends rows, as many as there is room for.
     *
     * @return how many were taken
     */
    int append(final int way, final long epoch, final EventBatch batch, final int[] rows, final int from,
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
     * Appends rows of a member that is gone, whether there is room or not.
     *
     * @return how many were taken: all, or none after the end
     */
    int appendAgain(final int way, final long epoch, final EventBatch batch, final int[] rows, final int count)
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
            final Slot slot = slotFor(way, epoch, maxSlots);
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

    /** The last slot while it has room, else a new one; {@code null} when there are enough. */
    private Slot slotFor(final int way, final long epoch, final int maxSlots)
    {
        final Slot last = queued.peekLast();
        if (last != null && last.hasRows() && last.sequence == 0 && last.epoch == epoch && last.way == way &&
            last.batch.size() < EventBatch.CAPACITY)
        {
            return last;
        }
        final int slots = queued.size() + unacknowledged.size();
        final boolean lacksMemory = slots > 0 && maxSlots == MAX_SLOTS && spare.isEmpty() && memory.isShort();
        return slots < maxSlots && !lacksMemory ? newSlot(epoch, way) : null;
    }

    /** Takes or gives back what a batch has grown or shrunk by. */
    private void charge(final Slot slot)
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

    private Slot newSlot(final long epoch, final int way)
    {
        final Slot known = spare.poll();
        final Slot slot = (known == null ? Slot.rows(schema) : known).begin(epoch, way, timed);
        queued.add(slot);
        ways.add(way);
        return slot;
    }

    /** Says that no row of an earlier epoch follows. */
    void mark(final long epoch)
    {
        lock.lock();
        try
        {
            if (!closed)
            {
                queued.add(Slot.mark(epoch));
                work.signal();
            }
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Says that no row of a way follows, when the other side knows of it. */
    void end(final int way)
    {
        lock.lock();
        try
        {
            times.remove(way);
            timesSent.remove(way);
            if (ways.remove(way) && !closed)
            {
                queued.add(Slot.end(way));
                work.signal();
            }
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Says how far the time of a way has come. */
    void time(final int way, final long timeNs)
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

    /** Whether the other side has had all rows. */
    boolean isDrained()
    {
        lock.lock();
        try
        {
            return Stream.concat(unacknowledged.stream(), queued.stream()).noneMatch(Slot::hasRows);
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Ends it and gives the rows that the other side may not have had, in order. */
    List<Slot> close()
    {
        lock.lock();
        try
        {
            closed = true;
            work.signalAll();
            final List<Slot> left = new ArrayList<>(unacknowledged);
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

    boolean isClosed()
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
     * A new connection: what the other side has had is done; what it will not take any more goes back; the rest is
     * sent anew.
     *
     * @param welcome of the other side
     * @param back    takes rows that go back, under the lock: whoever sees the queue drained must find them there
     */
    void resume(final Handshake.Welcome welcome, final Consumer<List<Slot>> back)
    {
        lock.lock();
        try
        {
            acknowledge(welcome.lastSequence());
            while (!unacknowledged.isEmpty())
            {
                final Slot slot = unacknowledged.pollLast();
                rowsSentAgain += slot.size();
                queued.addFirst(slot);
            }
            final List<Slot> refused = new ArrayList<>();
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
     * @param taken  gets batches and marks
     * @param passed gets times that hold when these were sent
     * @param isOver whether the connection has ended; {@link #wake} lets it be asked
     * @return false when nothing more is to be sent on this connection
     */
    boolean take(final List<Slot> taken, final Map<Integer, Long> passed, final BooleanSupplier isOver)
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
                final Slot slot = queued.poll();
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

    /** The other side has had everything up to a slot. */
    void acknowledge(final long sequence)
    {
        lock.lock();
        try
        {
            while (!unacknowledged.isEmpty() && unacknowledged.peek().sequence <= sequence)
            {
                final Slot done = unacknowledged.poll();
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

    /** Lets the one that sends look whether its connection has ended. */
    void wake()
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

    /** Waits a while, or until there is something new. */
    void pause(final long timeNs)
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

    long rowsSent()
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

    /** Of those that were sent, how many more than once, because a connection broke. */
    long rowsSentAgain()
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
