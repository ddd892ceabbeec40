package dev.millrace.command.demo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;

/**
 * Closes what was opened, last first, when the command ends in whatever way: normally, by an exception, or by Ctrl-C.
 *
 * <p>Threads: things are added by the main thread; closing happens on it or on the shutdown hook.
 */
public final class Cleanup implements AutoCloseable
{
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Thread hook = new Thread(this::interrupt, "millrace-cleanup");
    private volatile boolean interrupted;

    /** Registers the shutdown hook. */
    public Cleanup()
    {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Adds something to close.
     *
     * @param closeable closed before everything that was added earlier
     * @param <T>       its type
     * @return the same
     */
    public <T extends AutoCloseable> T add(final T closeable)
    {
        synchronized (open)
        {
            open.push(closeable);
        }
        return closeable;
    }

    /** Returns at once unless Ctrl-C is ending the process; then never, for what fails meanwhile is no news. */
    public void awaitEndIfInterrupted()
    {
        while (interrupted)
        {
            LockSupport.park();
        }
    }

    private void interrupt()
    {
        interrupted = true;
        closeAll();
    }

    @Override
    public void close()
    {
        if (!interrupted)
        {
            closeAll();
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }

    private void closeAll()
    {
        synchronized (open)
        {
            while (!open.isEmpty())
            {
                close(open.pop());
            }
        }
    }

    private static void close(final AutoCloseable closeable)
    {
        try
        {
            closeable.close();
        }
        catch (final Exception e)
        {
            System.err.println("CMD-0150: cannot clean up, reason=" + e);
        }
    }
}
