package dev.millrace.network.condition;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Notices a call into a stage that does not return. The calling thread notes the beginning and the end of each batch
 * with a plain counter; time is read by {@link #poll} only, so {@link #LIMIT_NS} is exact to the period of polling.
 * One thread at a time calls; any thread polls.
 */
public final class CallWatch
{
    /** How long a call may take before it counts as one that does not return. */
    public static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(10);

    private static final VarHandle BEGUN;
    private static final VarHandle ENDED;
    private static final VarHandle CALLER;

    static
    {
        try
        {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            BEGUN = lookup.findVarHandle(CallWatch.class, "begun", long.class);
            ENDED = lookup.findVarHandle(CallWatch.class, "ended", long.class);
            CALLER = lookup.findVarHandle(CallWatch.class, "caller", Thread.class);
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
     * @param thread  that makes it
     * @param sinceNs when it was first seen
     */
    public record OpenCall(Thread thread, long sinceNs)
    {
        /**
         * Where the thread stands: its top frame, and the first one outside the JDK when that is another.
         *
         * @return text for a message
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

    /** Notes that a call begins. */
    public void begin()
    {
        final Thread current = Thread.currentThread();
        if (caller != current)
        {
            CALLER.setOpaque(this, current);
        }
        BEGUN.setOpaque(this, begun + 1);
    }

    /** Notes that the call has ended. */
    public void end()
    {
        ENDED.setOpaque(this, begun);
    }

    /**
     * Looks whether the same call has been open for longer than the limit.
     *
     * @param nowNs time of the network's clock
     * @return the call, or {@code null}
     */
    public synchronized OpenCall poll(final long nowNs)
    {
        final long last = (long)ENDED.getOpaque(this);
        final long current = (long)BEGUN.getOpaque(this);
        if (current == last)
        {
            seen = -1;
            return null;
        }
        if (current != seen)
        {
            seen = current;
            seenNs = nowNs;
        }
        final Thread thread = (Thread)CALLER.getOpaque(this);
        return nowNs - seenNs < LIMIT_NS || thread == null ? null : new OpenCall(thread, seenNs);
    }
}
