package dev.millrace.journal;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Synchronizes the current file of a journal at an interval.
 *
 * <p>Threads: {@link #file} is called by the thread that appends, {@link #sync} by any thread. A failure is reported
 * once by the journal's next append.
 */
final class SyncThread
{
    private static final Logger LOG = LoggerFactory.getLogger(SyncThread.class);

    private final Runnable action;
    private final Thread thread;
    private final long intervalNs;
    private volatile boolean isStopped;
    /** Guarded by this. */
    private SpaceReservation file;

    /**
     * @param action synchronizes the journal
     */
    SyncThread(final Runnable action, final JournalSettings settings)
    {
        this.action = action;
        intervalNs = settings.syncIntervalNs();
        thread = settings.sync() == SyncMode.INTERVAL ?
            new Thread(this::run, "journal-sync-" + settings.owner()) : null;
    }

    void start()
    {
        if (thread != null)
        {
            thread.setDaemon(true);
            thread.start();
        }
    }

    synchronized void file(final SpaceReservation current)
    {
        file = current;
    }

    /** Writes the current file to the disk. */
    synchronized void sync() throws IOException
    {
        if (file != null)
        {
            file.force();
        }
    }

    private void run()
    {
        while (!isStopped)
        {
            LockSupport.parkNanos(this, intervalNs);
            try
            {
                action.run();
            }
            catch (final RuntimeException e)
            {
                LOG.error("{}", e.getMessage(), e);
                return;
            }
        }
    }

    /** Ends the thread; a synchronization in progress is finished. */
    void stop(final long timeoutNs)
    {
        isStopped = true;
        if (thread != null && thread.isAlive())
        {
            LockSupport.unpark(thread);
            try
            {
                thread.join(TimeUnit.NANOSECONDS.toMillis(timeoutNs));
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
            }
        }
    }
}
