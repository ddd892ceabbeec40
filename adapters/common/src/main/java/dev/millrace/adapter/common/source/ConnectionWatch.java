package dev.millrace.adapter.common.source;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that checks the connection of a sink between batches, so that an outage is reported, and ends, also while no
 * rows arrive. Thread-safe.
 */
public final class ConnectionWatch implements AutoCloseable
{
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Thread thread;
    private volatile boolean isClosed;

    /**
     * Starts the thread.
     *
     * @param stageName application and stage, for the name of the thread
     * @param check     called about ten times a second; may wait for a batch that is being sent, must not throw
     */
    public ConnectionWatch(final String stageName, final Runnable check)
    {
        thread = new Thread(() ->
        {
            while (!isClosed)
            {
                LockSupport.parkNanos(this, INTERVAL_NS);
                if (!isClosed)
                {
                    check.run();
                }
            }
        }, stageName + "/watch");
        thread.setDaemon(true);
        thread.start();
    }

    /** Ends the thread after its current check, without waiting for it. */
    @Override
    public void close()
    {
        isClosed = true;
        LockSupport.unpark(thread);
    }
}
