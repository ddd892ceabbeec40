package dev.millrace.cluster.ignite;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What lets a member act for the cluster: it ends when the process was silent for so long that the others may have gone
 * on without it. In a cluster of two nobody can tell a member that it was given up, so it has to find out by its clock.
 *
 * <p>Threads: one of its own renews it and tells when it has ended; everybody may ask whether it holds. It has ended
 * for those who ask as soon as the process runs again, also before the thread has noticed.
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
     * Begins it.
     *
     * @param member   whose name its thread gets
     * @param lengthNs of silence that ends it
     * @param clockNs  that goes on while the process is paused
     * @param ended    called by the thread of this lease when it has ended; it begins anew afterwards
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

    /** A volatile read and a look at the clock. */
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
                if (!holds())
                {
                    ended.run();
                }
                renewedNs = clockNs.getAsLong();
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
