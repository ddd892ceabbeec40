package dev.millrace.cql.processor.worker;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.processor.relation.Counter;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.ring.SpscBatchRing;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;

/**
 * The ring from one source thread to one worker, with the pipeline instances that process its rows. If the source's
 * thread acts as the worker, rows bypass the ring, which is created when the first row needs it.
 *
 * <p>Threads: {@code send} methods are confined to the source thread, {@link #poll()}, {@link #run} and
 * {@link #close()} to the worker. A full ring makes the source wait: it yields first, then sleeps for increasing times
 * up to a millisecond. Rows that are handed over while the worker ends are rejected by one of the two threads, never
 * lost.
 */
public final class WorkerInput
{
    /** Capacity of a ring; a full ring delays the source. */
    static final int RING_ROWS = 4096;

    private static final String REJECT_REASON = "processor-stopped";
    private static final String SEND_AGAIN = "; send these rows again when the application runs";
    private static final String AFTER_STOP =
        ProcessorErrorCode.STOPPED + " rows arrived after the processor had stopped" + SEND_AGAIN;
    private static final int WAIT_YIELDS = 32;
    private static final long FIRST_WAIT_NS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final long LONGEST_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final BatchSchema schema;
    private final IntPredicate columns;
    private final IndexedInstances instances;
    private final Worker worker;
    private final RejectionHandler rejection;
    private final MemoryAccount memory;
    private final BatchLog recorder;
    private final boolean ahead;
    /** Created by the source with the first row that needs it. */
    private volatile SpscBatchRing ring;
    /** Rows removed from the ring. */
    private EventBatch batch;
    /** Heartbeat for rows that bypass the ring; created on demand. */
    private EventBatch beat;
    private final BatchDurationEstimate rowTime = new BatchDurationEstimate();
    private final BatchDurationEstimate beatTime = new BatchDurationEstimate();
    /** Bytes charged for longer strings in the ring. */
    private long chargedBytes;
    private final Counter taken = new Counter();
    private final Counter waits = new Counter();
    private final Counter done = new Counter();
    private final Counter rows = new Counter();
    private final Counter batches = new Counter();
    /** An interrupt of the source thread while it waited, to be restored. */
    private boolean interrupted;
    private volatile boolean closed;

    /** Creates the ring to a worker that appends nothing to a journal. */
    public WorkerInput(
        final BatchSchema schema, final IntPredicate columns, final PipelineInstance[] instances, final Worker worker,
        final RejectionHandler rejection, final boolean ahead, final MemoryAccount memory)
    {
        this(schema, columns, instances, worker, rejection, ahead, memory, null);
    }

    /**
     * @param schema    schema of its rows
     * @param columns   columns that are handed over
     * @param instances instances in the order in which they process a batch
     * @param worker    worker that runs them
     * @param rejection counts rows that arrive too late
     * @param ahead     whether its rows are processed before those of other rings that were handed over later
     * @param memory    account of the source, for the ring
     * @param recorder  appends what the instances process to a journal; {@code null} unless the application is durable
     */
    public WorkerInput(
        final BatchSchema schema, final IntPredicate columns, final PipelineInstance[] instances, final Worker worker,
        final RejectionHandler rejection, final boolean ahead, final MemoryAccount memory,
        final BatchLog recorder)
    {
        this.schema = schema;
        this.columns = columns;
        this.ahead = ahead;
        this.instances = new IndexedInstances(instances);
        this.worker = worker;
        this.rejection = rejection;
        this.memory = memory;
        this.recorder = recorder;
    }

    private SpscBatchRing ring()
    {
        SpscBatchRing made = ring;
        if (made == null)
        {
            made = new SpscBatchRing(schema, columns, RING_ROWS);
            batch = new EventBatch(schema);
            memory.charge(made.sizeBytes() + batch.sizeBytes());
            ring = made;
        }
        return made;
    }

    /**
     * Hands over all rows of a batch, or its time if it has no rows.
     *
     * @param source borrowed for the call
     */
    public void send(final EventBatch source)
    {
        if (worker.enter(expectedNs(source.size())))
        {
            runHere(source, null, source.size());
        }
        else if (source.size() == 0)
        {
            handTime(source.baseTimestampNs());
        }
        else
        {
            sendRows(source);
        }
    }

    /** The expected duration for rows, including queued ones. */
    long expectedNs(final int count)
    {
        final int rowCount = count + waitingRows();
        return !worker.isTimed() ? 0 : rowCount == 0 ? beatTime.expectedNs(1) : rowTime.expectedNs(rowCount);
    }

    /** The source's thread is the worker and processes a batch, all of it or a selection of its rows. */
    private void runHere(final EventBatch source, final int[] selection, final int count)
    {
        try
        {
            if (!refuses(count))
            {
                worker.runAhead();
                runWaiting();
                final int records = Math.max(1, count);
                taken.add(records);
                run(source, selection, count, records);
            }
        }
        finally
        {
            worker.leave();
        }
    }

    private void run(final EventBatch of, final int[] selection, final int size, final int records)
    {
        final BatchDurationEstimate time = size > 0 ? rowTime : beatTime;
        final long startNs = worker.isTimed() && time.isNext() ? System.nanoTime() : 0;
        try
        {
            final EventBatch appended = recorder == null ? of : recorder.append(of, selection, size);
            if (appended == null)
            {
                // Nothing is processed twice, nor anything that could not be restored.
                return;
            }
            // The numbers of rows of the input are not those of the output, which may be views of them.
            final long[] sequences = appended.replaceSequences(null);
            if (selection == null || appended != of)
            {
                instances.onBatch(appended);
            }
            else
            {
                instances.onRows(of, selection, size);
            }
            appended.replaceSequences(sequences);
        }
        finally
        {
            if (startNs != 0)
            {
                time.took(System.nanoTime() - startNs, Math.max(1, size));
            }
            // Also after an internal error that ends the worker: no thread waits for these rows.
            rows.add(size);
            batches.add(size > 0 ? 1 : 0);
            done.add(records);
        }
    }

    private void sendRows(final EventBatch source)
    {
        final int size = source.size();
        if (refuses(size))
        {
            return;
        }
        final SpscBatchRing ring = ring();
        int sent = ring.offer(source, 0);
        for (int round = 0; sent < size && await(round, size - sent); round++)
        {
            sent += ring.offer(source, sent);
        }
        published(sent);
    }

    /**
     * Hands over selected rows of a batch.
     *
     * @param source    rows
     * @param selection row numbers
     * @param count     number of rows, at least 1
     */
    public void send(final EventBatch source, final int[] selection, final int count)
    {
        if (instances.takesSelections() && worker.enter(expectedNs(count)))
        {
            runHere(source, selection, count);
            return;
        }
        if (refuses(count))
        {
            return;
        }
        final SpscBatchRing ring = ring();
        int sent = ring.offer(source, selection, 0, count);
        for (int round = 0; sent < count && await(round, count - sent); round++)
        {
            sent += ring.offer(source, selection, sent, count);
        }
        published(sent);
    }

    /**
     * Notifies the worker that time has passed.
     *
     * @param timeNs time before which no later row from this source can be
     */
    void sendTime(final long timeNs)
    {
        if (worker.enter(expectedNs(0)))
        {
            runHere(beat(timeNs), null, 0);
        }
        else
        {
            handTime(timeNs);
        }
    }

    private void handTime(final long timeNs)
    {
        if (refuses(0))
        {
            return;
        }
        final SpscBatchRing ring = ring();
        boolean sent = ring.offerHeartbeat(timeNs);
        for (int round = 0; !sent && await(round, 0); round++)
        {
            sent = ring.offerHeartbeat(timeNs);
        }
        published(sent ? 1 : 0);
    }

    private EventBatch beat(final long timeNs)
    {
        if (beat == null)
        {
            beat = new EventBatch(schema);
            memory.charge(beat.sizeBytes());
        }
        beat.baseTimestampNs(timeNs);
        return beat;
    }

    private void published(final int records)
    {
        charge();
        taken.add(records);
        worker.wake();
        // The worker may have ended since the first check: the second of the two threads finds the rows.
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

    /** Adjusts the memory account to the length of longer strings in the ring. */
    private void charge()
    {
        final long bytes = ring.textBytes();
        if (bytes > chargedBytes)
        {
            memory.charge(bytes - chargedBytes);
        }
        else if (bytes < chargedBytes)
        {
            memory.release(chargedBytes - bytes);
        }
        chargedBytes = bytes;
    }

    /** Whether the worker has ended; then the rows are rejected. */
    private boolean refuses(final int count)
    {
        // Read only once: between two reads the worker may end, and the rows would be neither rejected nor sent.
        final boolean ended = closed;
        if (ended && count > 0)
        {
            rejection.reject(count, REJECT_REASON, AFTER_STOP);
        }
        return ended;
    }

    /** Waits for free space; false if the worker has ended, then the remaining rows are rejected. */
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
        if (round == 0)
        {
            worker.wake();
            Thread.yield();
            return true;
        }
        worker.help();
        if (round < WAIT_YIELDS)
        {
            Thread.yield();
        }
        else
        {
            // A thread with a pending interrupt cannot sleep.
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
     * Removes up to {@link EventBatch#CAPACITY} rows, to be run next; none after the end, when the last of the two
     * threads rejects them.
     *
     * @return number of records; {@link SpscBatchRing#EMPTY} if there were none
     */
    int poll()
    {
        return closed ? SpscBatchRing.EMPTY : take();
    }

    private int take()
    {
        final SpscBatchRing made = ring;
        return made == null ? SpscBatchRing.EMPTY : made.poll(batch);
    }

    /** Runs all rows that are in the ring now. */
    void runWaiting()
    {
        for (int waiting = closed ? 0 : waitingRows(); waiting > 0;)
        {
            final int polled = poll();
            waiting -= Math.max(1, polledRecords());
            run(polled);
        }
    }

    /**
     * Runs the removed rows.
     *
     * @param polled result of {@link #poll()}
     */
    void run(final int polled)
    {
        run(batch, null, Math.max(0, polled), polledRecords());
    }

    /** The number of rows and times that the last {@link #poll()} removed. */
    int polledRecords()
    {
        return ring.polledRecords();
    }

    boolean isEmpty()
    {
        final SpscBatchRing made = ring;
        return closed || made == null || made.isEmpty();
    }

    /** Removes the empty ring from its worker; nothing is sent into it any more. */
    public void leave()
    {
        worker.remove(this);
        instances.close();
        memory.close();
    }

    /** Stops accepting rows; rows still in the ring are rejected. Called by the worker when it ends. */
    void close()
    {
        closed = true;
        VarHandle.fullFence();
        rejectRest();
    }

    /** Called after the end, by the worker and, for rows that it could not see any more, by the source. */
    private synchronized void rejectRest()
    {
        int lost = 0;
        for (int polled = take(); polled != SpscBatchRing.EMPTY; polled = take())
        {
            lost += Math.max(0, polled);
            done.add(polledRecords());
        }
        if (lost > 0)
        {
            rejection.reject(lost, REJECT_REASON,
                ProcessorErrorCode.STOPPED + " the processor was stopped before it could run these rows" + SEND_AGAIN);
        }
    }

    public long taken()
    {
        return taken.get();
    }

    public long done()
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
        final SpscBatchRing made = ring;
        return made == null ? 0 : made.sizeRows();
    }
}
