package dev.millrace.cql.language.semantic;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * The time by which a rule must be planned, in CPU time of the planning thread, so that valid rules are not refused on
 * a busy machine. Confined to the thread that created it.
 */
public final class PlanningDeadline
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
    public PlanningDeadline(final long limitMs)
    {
        limitNs = limitMs * 1_000_000L;
    }

    private static long nowNs()
    {
        return PROCESSOR_TIME ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }

    /**
     * Stops the work after the deadline.
     *
     * @throws CqlRuleException after the deadline
     */
    public void check()
    {
        // CPU time of a thread cannot exceed elapsed time, and reading elapsed time costs a tenth.
        if (System.nanoTime() - wallStartNs > limitNs && nowNs() - startNs > limitNs)
        {
            throw new CqlRuleException(Message.TOO_SLOW, null, limitNs / 1_000_000L);
        }
    }
}
