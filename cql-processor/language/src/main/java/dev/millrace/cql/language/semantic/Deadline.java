package dev.millrace.cql.language.semantic;

import dev.millrace.cql.language.Message;
import dev.millrace.cql.language.Refusal;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * The time by which a rule must be planned, in processor time of the planning thread, so that a busy machine does not
 * refuse good rules. Used by the thread that made it.
 */
public final class Deadline
{
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static final boolean PROCESSOR_TIME =
        THREADS.isCurrentThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled();

    private final long startNs = nowNs();
    private final long wallStartNs = System.nanoTime();
    private final long limitNs;

    /**
     * Starts the time.
     *
     * @param limitMs milliseconds from now
     */
    public Deadline(final long limitMs)
    {
        limitNs = limitMs * 1_000_000L;
    }

    private static long nowNs()
    {
        return PROCESSOR_TIME ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }

    /**
     * Stops the work when the time is over.
     *
     * @throws Refusal when it is
     */
    public void check()
    {
        // A thread gets no more processor time than time goes by, and asking for the latter costs a tenth.
        if (System.nanoTime() - wallStartNs > limitNs && nowNs() - startNs > limitNs)
        {
            throw new Refusal(Message.TOO_SLOW, null, limitNs / 1_000_000L);
        }
    }
}
