package dev.millrace.network.condition;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Detects calls into a stage that do not return. The calling thread records the beginning and the end of each batch
 * with a plain counter. Only {@link #poll} reads the time, so {@link #LIMIT_NS} is as precise as the polling period.
 * Threads: a single calling thread at a time; any thread may poll.
 */
public final class CallMonitor
{
    /** Duration after which a call counts as one that does not return. */
    public static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(10);

    private static final VarHandle BEGUN;
    private static final VarHandle ENDED;
    private static final VarHandle CALLER;

    static
    {
        try
        {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            BEGUN = lookup.findVarHandle(CallMonitor.class, "begun", long.class);
            ENDED = lookup.findVarHandle(CallMonitor.class, "ended", long.class);
            CALLER = lookup.findVarHandle(CallMonitor.class, "caller", Thread.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    // Written by the calling thread through the handles above.
    private long begun;
    private long ended;
    private Thread caller;

    // Guarded by this.
    private long seen = -1;
    private long seenNs;

    /**
     * A call that has not returned.
     *
     * @param thread  the calling thread
     * @param sinceNs when it was first seen
     */
    public record OpenCall(Thread thread, long sinceNs)
    {
        /**
         * Describes where the thread is: its top frame, and the first frame outside the JDK if that is a different one.
         *
         * @return string for a message
         */
        public String frames()
        {
            final StackTraceElement[] trace = thread.getStackTrace();
            if (trace.length == 0)
            {
                return "none, the thread has ended";
            }
            return trace[0] + (isJdk(trace[0]) ? Stream.of(trace).filter(frame -> !isJdk(frame)).findFirst()
                .map(frame -> " called at " + frame).orElse("") : "");
        }

        private static boolean isJdk(final StackTraceElement frame)
        {
            final String name = frame.getClassName();
            return name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.");
        }
    }

    /** Records the beginning of a call. */
    public void begin()
    {
        final Thread current = Thread.currentThread();
        if (caller != current)
        {
            CALLER.setOpaque(this, current);
        }
        BEGUN.setOpaque(this, begun + 1);
    }

    /** Records the end of the call. */
    public void end()
    {
        ENDED.setOpaque(this, begun);
    }

    /**
     * Checks whether the same call has been open for longer than the limit.
     *
     * @param nowNs time of the network's clock
     * @return the call, or {@code null}
     */
    public synchronized OpenCall poll(final long nowNs)
    {
        final long last = (long)ENDED.getOpaque(this);
        final long current = (long)BEGUN.getOpaque(this);
        final Thread thread = (Thread)CALLER.getOpaque(this);
        if (current == last)
        {
            seen = -1;
            if (thread != null && !thread.isAlive())
            {
                // It may belong to another application, whose classes can be unloaded only without it.
                CALLER.compareAndSet(this, thread, null);
            }
            return null;
        }
        if (current != seen)
        {
            seen = current;
            seenNs = nowNs;
        }
        return nowNs - seenNs < LIMIT_NS || thread == null ? null : new OpenCall(thread, seenNs);
    }
}
