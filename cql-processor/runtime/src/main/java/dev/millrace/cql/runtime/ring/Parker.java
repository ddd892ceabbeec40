package dev.millrace.cql.runtime.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Suspends one thread until another one has work for it, without lost wake-ups and without a lock.
 *
 * <p>The consumer announces itself with {@link #prepare()}, polls its rings once more, then calls {@link #park(long)}.
 * The producer publishes first and then calls {@link #wake()}, which costs one fence when no thread sleeps.
 */
public final class Parker
{
    private static final VarHandle SLEEPER;

    static
    {
        try
        {
            SLEEPER = MethodHandles.lookup().findVarHandle(Parker.class, "sleeper", Thread.class);
        }
        catch (final ReflectiveOperationException impossible)
        {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private volatile Thread sleeper;

    /**
     * Announces that the calling thread will sleep next; later reads see all work published before {@link #wake()}.
     */
    public void prepare()
    {
        SLEEPER.setVolatile(this, Thread.currentThread());
        VarHandle.fullFence();
    }

    /** Withdraws the announcement because work was found. */
    public void cancel()
    {
        SLEEPER.setOpaque(this, (Thread)null);
    }

    /** Sleeps until {@link #wake()}, an interrupt or the timeout; may also return spuriously. */
    public void park(final long timeoutNs)
    {
        if (sleeper != null)
        {
            LockSupport.parkNanos(this, timeoutNs);
        }
        cancel();
    }

    /** Wakes the consumer if it sleeps; called after the work has been published. */
    public void wake()
    {
        VarHandle.fullFence();
        final Thread thread = sleeper;
        if (thread != null)
        {
            sleeper = null;
            LockSupport.unpark(thread);
        }
    }
}
