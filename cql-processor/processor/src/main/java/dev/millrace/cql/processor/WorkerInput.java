package dev.millrace.cql.processor;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.runtime.RowRejection;
import dev.millrace.cql.runtime.SpscBatchRing;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;

/**
 * The ring from one source thread to one worker, with the pipeline instances that take its rows.
 *
 * <p>Threads: {@code send} methods belong to the source thread, {@link #poll()}, {@link #run} and {@link #close()} to
 * the worker. A full ring makes the source wait: it yields at first, then sleeps for growing times up to a millisecond.
 * Rows that are handed over while the worker ends are rejected by the one or the other, never lost.
 */
final class WorkerInput
{
    /** Bound of a ring; a full one holds back the source. */
    static final int RING_ROWS = 4096;

    private static final String REJECT_REASON = "processor-stopped";
    private static final String SEND_AGAIN = "; send these rows again when the application runs";
    private static final String AFTER_STOP =
        ProcessorErrors.STOPPED + " rows came after the processor had stopped" + SEND_AGAIN;
    private static final int WAIT_YIELDS = 32;
    private static final long FIRST_WAIT_NS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final long LONGEST_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final SpscBatchRing ring;
    private final EventBatch batch;
    private final IndexedInstances instances;
    private final Worker worker;
    private final RowRejection rejection;
    private final boolean ahead;
    private final Counter taken = new Counter();
    private final Counter waits = new Counter();
    private final Counter done = new Counter();
    private final Counter rows = new Counter();
    private final Counter batches = new Counter();
    /** An interrupt of the source thread that came while it waited, to be given back. */
    private boolean interrupted;
    private volatile boolean closed;

    /**
     * Makes a ring.
     *
     * @param schema    of its rows
     * @param columns   which of them are handed over
     * @param instances what takes them, in this order
     * @param worker    runs it
     * @param rejection counts rows that come too late
     * @param ahead     whether its rows go before those of other rings that were handed over after them
     */
    WorkerInput(
        final BatchSchema schema, final IntPredicate columns, final PipelineInstance[] instances, final Worker worker,
        final RowRejection rejection, final boolean ahead)
    {
        this.ahead = ahead;
        this.instances = new IndexedInstances(schema, instances);
        this.worker = worker;
        this.rejection = rejection;
        ring = new SpscBatchRing(schema, columns, RING_ROWS);
        batch = new EventBatch(schema);
    }

    /**
     * Hands all rows of a batch over.
     *
     * @param source at least one row
     */
    void send(final EventBatch source)
    {
        final int size = source.size();
        if (refuses(size))
        {
            return;
        }
        int sent = ring.offer(source, 0);
        for (int round = 0; sent < size && await(round, size - sent); round++)
        {
            sent += ring.offer(source, sent);
        }
        published(sent);
    }

    /**
     * Hands selected rows of a batch over.
     *
     * @param source    rows
     * @param selection row numbers
     * @param count     how many, at least 1
     */
    void send(final EventBatch source, final int[] selection, final int count)
    {
        if (refuses(count))
        {
            return;
        }
        int sent = ring.offer(source, selection, 0, count);
        for (int round = 0; sent < count && await(round, count - sent); round++)
        {
            sent += ring.offer(source, selection, sent, count);
        }
        published(sent);
    }

    /**
     * Tells the worker that time has passed.
     *
     * @param timeNs no later row from this source is older
     */
    void sendTime(final long timeNs)
    {
        if (refuses(0))
        {
            return;
        }
        boolean sent = ring.offerHeartbeat(timeNs);
        for (int round = 0; !sent && await(round, 0); round++)
        {
            sent = ring.offerHeartbeat(timeNs);
        }
        published(sent ? 1 : 0);
    }

    private void published(final int records)
    {
        taken.add(records);
        worker.wake();
        // The worker may have ended since the first look: whoever comes second, it or this thread, finds the rows.
        if (closed)
        {
            rejectRest();
        }
        if (interrupted)
        {
            interrupted = false;
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the worker has ended; then the rows are rejected. */
    private boolean refuses(final int count)
    {
        // Looked at once: between two looks the worker may end, and the rows would be neither rejected nor sent.
        final boolean ended = closed;
        if (ended && count > 0)
        {
            rejection.reject(count, REJECT_REASON, AFTER_STOP);
        }
        return ended;
    }

    /** Waits for room; false when the worker has ended, then the rest is rejected. */
    private boolean await(final int round, final int rest)
    {
        if (refuses(rest))
        {
            return false;
        }
        if (round == 0)
        {
            waits.add(1);
        }
        worker.wake();
        if (round < WAIT_YIELDS)
        {
            Thread.yield();
        }
        else
        {
            // Nobody who has an interrupt can sleep.
            interrupted |= Thread.interrupted();
            LockSupport.parkNanos(this, Math.min(LONGEST_WAIT_NS, FIRST_WAIT_NS << Math.min(round - WAIT_YIELDS, 10)));
        }
        return true;
    }

    boolean isAhead()
    {
        return ahead;
    }

    /**
     * Takes up to {@link EventBatch#CAPACITY} rows out, to be run next.
     *
     * @return how many records; {@link SpscBatchRing#EMPTY} when there was nothing
     */
    int poll()
    {
        return ring.poll(batch);
    }

    /**
     * Runs what was taken out.
     *
     * @param polled what {@link #poll()} gave
     */
    void run(final int polled)
    {
        instances.onBatch(batch);
        if (polled > 0)
        {
            rows.add(polled);
            batches.add(1);
        }
        done.add(ring.polledRecords());
    }

    /** Rows and times that the last {@link #poll()} took out. */
    int polledRecords()
    {
        return ring.polledRecords();
    }

    boolean isEmpty()
    {
        return ring.isEmpty();
    }

    /** Takes the empty ring away from its worker; nothing is sent into it any more. */
    void leave()
    {
        worker.remove(this);
        instances.close();
    }

    /** Ends the taking of rows; what the ring still holds is rejected. Called by the worker when it ends. */
    void close()
    {
        closed = true;
        VarHandle.fullFence();
        rejectRest();
    }

    /** After the end, by the worker and, for rows that it could not see any more, by the source. */
    private synchronized void rejectRest()
    {
        int lost = 0;
        for (int polled = ring.poll(batch); polled != SpscBatchRing.EMPTY; polled = ring.poll(batch))
        {
            lost += Math.max(0, polled);
            done.add(ring.polledRecords());
        }
        if (lost > 0)
        {
            rejection.reject(lost, REJECT_REASON,
                ProcessorErrors.STOPPED + " the processor was stopped before it could run these rows" + SEND_AGAIN);
        }
    }

    long taken()
    {
        return taken.get();
    }

    long done()
    {
        return done.get();
    }

    long rows()
    {
        return rows.get();
    }

    long batches()
    {
        return batches.get();
    }

    long waits()
    {
        return waits.get();
    }

    int waitingRows()
    {
        return ring.sizeRows();
    }
}
