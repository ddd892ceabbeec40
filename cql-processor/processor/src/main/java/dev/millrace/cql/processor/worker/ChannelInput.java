package dev.millrace.cql.processor.worker;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Producers;
import dev.millrace.api.stage.SequencedSink;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * The sink of one source thread of a channel: passes each batch to all groups of pipelines that the channel feeds.
 *
 * <p>Threads: confined to one source thread. It claims the input for each batch with one compare-and-set, which is
 * uncontended while the rules stay the same. A thread that changes the rules claims the input between two batches,
 * replaces its routes and releases it.
 */
public final class ChannelInput implements SequencedSink
{
    private static final VarHandle STATE = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int FREE = 0;
    private static final int TAKEN = 1;
    private static final int SPINS = 200;
    private static final long PARK_NS = 20_000;
    /** The claim flag has its own cache lines, separate from those of other inputs. */
    private static final int PADDED_LENGTH = 64;
    private static final int MIDDLE = 32;

    private final int[] state = new int[PADDED_LENGTH];
    private final StoredRows stored;
    /** Numbers of the rows passed to the routes since the start; {@code null} unless numbers are stored. */
    private final SequenceMarks sent;
    private RowRouter[] routes;

    /**
     * @param stored {@code null} if numbers are not stored
     */
    public ChannelInput(final RowRouter[] routes, final StoredRows stored)
    {
        this.routes = routes;
        this.stored = stored;
        sent = stored == null ? null : new SequenceMarks();
    }

    /**
     * What all groups have stored, which is early where a group seldom gets rows of the producer; or what was sent, if
     * nothing of it is in transit and nothing was rejected.
     */
    @Override
    public long receivedFrom(final String producer)
    {
        if (stored == null)
        {
            return NOT_STORED;
        }
        final int id = Producers.id(producer);
        final long known = stored.receivedFrom(id);
        final long last = sent.of(id);
        for (final RowRouter route : routes)
        {
            if (!route.isDone(route.taken()))
            {
                return known;
            }
        }
        return stored.hasRejected() ? known : Math.max(known, last);
    }

    /** Numbers of the rows passed to the routes since the start; {@code null} unless numbers are stored. */
    public SequenceMarks sent()
    {
        return sent;
    }

    @Override
    public void onBatch(final EventBatch batch)
    {
        if (!STATE.compareAndSet(state, MIDDLE, FREE, TAKEN))
        {
            await(Long.MAX_VALUE);
        }
        try
        {
            if (sent == null)
            {
                final long[] sequences = batch.replaceSequences(null);
                send(batch);
                batch.replaceSequences(sequences);
            }
            else
            {
                send(batch);
                if (batch.hasSequences())
                {
                    sent.receive(batch);
                }
            }
        }
        finally
        {
            STATE.setRelease(state, MIDDLE, FREE);
        }
    }

    private void send(final EventBatch batch)
    {
        for (final RowRouter route : routes)
        {
            route.send(batch);
        }
    }

    /**
     * Claims the input between two batches; the source waits until {@link #release()}.
     *
     * @param timeoutNs maximum time to wait for a batch in progress
     * @return false if the batch did not complete in time; then the input is not claimed
     */
    public boolean claim(final long timeoutNs)
    {
        return STATE.compareAndSet(state, MIDDLE, FREE, TAKEN) || await(timeoutNs);
    }

    /** Lets the source continue after {@link #claim}. */
    public void release()
    {
        STATE.setRelease(state, MIDDLE, FREE);
    }

    private boolean await(final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        boolean interrupted = false;
        boolean taken = false;
        for (int tries = 0; !taken && System.nanoTime() - startNs < timeoutNs; tries++)
        {
            if (tries < SPINS)
            {
                Thread.onSpinWait();
            }
            else
            {
                // A thread with a pending interrupt cannot wait.
                interrupted |= Thread.interrupted();
                LockSupport.parkNanos(this, PARK_NS);
            }
            taken = STATE.compareAndSet(state, MIDDLE, FREE, TAKEN);
        }
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
        return taken;
    }

    /** The routes; called by the source, or by the thread that has claimed the input. */
    public RowRouter[] routes()
    {
        return routes;
    }

    /** Replaces the routes; called by the thread that has claimed the input. */
    public void routes(final RowRouter[] next)
    {
        routes = next;
    }
}
