package dev.millrace.cluster.ignite;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The right of a member to act for the cluster. It expires when the process has been unresponsive for so long that the
 * other members may have removed it. In a cluster of two, no member can notify another that it was removed, so each
 * must determine it by its own clock.
 *
 * <p>Threads: a dedicated thread renews the lease and reports its end; any thread may check it. For callers, it has
 * ended as soon as the process runs again, even before the thread has noticed.
 */
final class Lease implements AutoCloseable
{
    private static final int RENEWALS = 20;

    private final long lengthNs;
    private final LongSupplier clockNs;
    private final Runnable ended;
    private final Thread thread;
    private volatile long renewedNs;

    /**
     * Starts the lease.
     *
     * @param member   name of this member, for the thread name
     * @param lengthNs time without renewal after which it ends
     * @param clockNs  must advance while the process is paused
     * @param ended    called by the thread of this lease when it has ended; a new lease starts afterwards
     */
    Lease(final String member, final long lengthNs, final LongSupplier clockNs, final Runnable ended)
    {
        this.lengthNs = lengthNs;
        this.clockNs = clockNs;
        renewedNs = clockNs.getAsLong();
        this.ended = ended;
        thread = new Thread(this::renew, "millrace-cluster-lease-" + member);
        thread.setDaemon(true);
        thread.start();
    }

    /** Costs a volatile read and a clock read. */
    boolean holds()
    {
        return clockNs.getAsLong() - renewedNs < lengthNs;
    }

    private void renew()
    {
        try
        {
            while (true)
            {
                TimeUnit.NANOSECONDS.sleep(lengthNs / RENEWALS);
                // Read once: a pause between the check and the renewal must not renew an ended lease.
                long nowNs = clockNs.getAsLong();
                if (nowNs - renewedNs >= lengthNs)
                {
                    ended.run();
                    nowNs = clockNs.getAsLong();
                }
                renewedNs = nowNs;
            }
        }
        catch (final InterruptedException closed)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close()
    {
        thread.interrupt();
    }
}
