package dev.millrace.cql.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Puts one thread to sleep until another has work for it, without lost wake-ups and without a lock.
 *
 * <p>The sleeper announces itself with {@link #prepare()}, looks at its rings once more, then calls {@link
 * #park(long)}. The other side publishes first and then calls {@link #wake()}, which costs one fence when nobody
 * sleeps.
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

    /** Announces that the calling thread is about to sleep; what it looks at afterwards is up to date. */
    public void prepare()
    {
        SLEEPER.setVolatile(this, Thread.currentThread());
        VarHandle.fullFence();
    }

    /** Takes the announcement back: there was work after all. */
    public void cancel()
    {
        SLEEPER.setOpaque(this, (Thread)null);
    }

    /**
     * Sleeps until {@link #wake()}, an interrupt or the end of the time; may also return for no reason.
     *
     * @param timeoutNs how long at most
     */
    public void park(final long timeoutNs)
    {
        if (sleeper != null)
        {
            LockSupport.parkNanos(this, timeoutNs);
        }
        cancel();
    }

    /** Wakes the sleeper, if there is one; called after the work has been published. */
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
