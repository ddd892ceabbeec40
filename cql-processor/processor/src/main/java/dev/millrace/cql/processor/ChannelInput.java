package dev.millrace.cql.processor;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * What one source thread of a channel sends into: passes each batch to all groups of pipelines the channel feeds.
 *
 * <p>Threads: one source thread; it claims the input for each batch, with one compare-and-set that nobody contends
 * while the rules stay as they are. A thread that changes the rules claims the input between two batches, exchanges its
 * routes and gives it back.
 */
final class ChannelInput implements EventBatchSink
{
    private static final VarHandle STATE = MethodHandles.arrayElementVarHandle(int[].class);
    private static final int FREE = 0;
    private static final int TAKEN = 1;
    private static final int SPINS = 200;
    private static final long PARK_NS = 20_000;
    /** The claim lies alone on its cache lines, far from those of other inputs. */
    private static final int PADDED_LENGTH = 64;
    private static final int MIDDLE = 32;

    private final int[] state = new int[PADDED_LENGTH];
    private RowRoute[] routes;

    ChannelInput(final RowRoute[] routes)
    {
        this.routes = routes;
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
            for (final RowRoute route : routes)
            {
                route.send(batch);
            }
        }
        finally
        {
            STATE.setRelease(state, MIDDLE, FREE);
        }
    }

    /**
     * Claims the input between two batches; the source waits until {@link #release()}.
     *
     * @param timeoutNs how long to wait for a batch that is on its way
     * @return false when the batch did not get through in time; the input is not claimed then
     */
    boolean claim(final long timeoutNs)
    {
        return STATE.compareAndSet(state, MIDDLE, FREE, TAKEN) || await(timeoutNs);
    }

    /** Lets the source go on after {@link #claim}. */
    void release()
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
                // Nobody who has an interrupt can wait.
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

    /** The routes; for the source, or whoever has claimed the input. */
    RowRoute[] routes()
    {
        return routes;
    }

    /** Exchanges the routes; for whoever has claimed the input. */
    void routes(final RowRoute[] next)
    {
        routes = next;
    }
}
