package dev.millrace.journal;

import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that prepares the next part of a file before records are written to it, so that the thread that appends
 * neither writes zeros nor takes a page fault for every page. It starts with the first request and only helps: what is
 * not prepared in time is prepared by the thread that appends, which also reports a full disk.
 *
 * <p>Threads: {@link #request} and {@link #stop} are called by the thread that appends.
 */
final class PageToucher
{
    private static final Logger LOG = LoggerFactory.getLogger(PageToucher.class);

    /** A file, and the offset from which to prepare it. */
    private record Request(SpaceReservation file, long from)
    {
    }

    private final String name;
    private Thread thread;
    private volatile boolean isStopped;
    /** {@code null} while there is nothing to do. */
    private volatile Request request;

    /** @param name of the thread */
    PageToucher(final String name)
    {
        this.name = name;
    }

    /**
     * Requests the preparation of a file; without effect while an earlier request is in progress.
     *
     * @param from offset of the next record
     */
    void request(final SpaceReservation file, final long from)
    {
        if (request != null || isStopped)
        {
            return;
        }
        request = new Request(file, from);
        if (thread == null)
        {
            thread = new Thread(this::run, name);
            thread.setDaemon(true);
            thread.start();
        }
        else
        {
            LockSupport.unpark(thread);
        }
    }

    private void run()
    {
        while (!isStopped)
        {
            final Request current = request;
            if (current == null)
            {
                LockSupport.park(this);
                continue;
            }
            try
            {
                current.file().prepare(current.from());
            }
            catch (final JournalException e)
            {
                LOG.debug("the next pages of a journal are not prepared: {}", e.getMessage());
            }
            catch (final RuntimeException e)
            {
                LOG.warn("the pages of a journal are no longer prepared, which is slower: {}", e.toString(), e);
                isStopped = true;
            }
            request = null;
        }
    }

    /** Ends the thread; it does not touch a file that is closed. */
    void stop()
    {
        isStopped = true;
        LockSupport.unpark(thread);
    }
}
