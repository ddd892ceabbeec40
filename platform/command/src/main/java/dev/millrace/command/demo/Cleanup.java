package dev.millrace.command.demo;

import dev.millrace.command.instance.DomainTemplate;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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
    private final PrintWriter err;
    private volatile boolean interrupted;

    /**
     * Makes something that must be closed.
     *
     * @param <T> what it gives
     */
    @FunctionalInterface
    public interface Opening<T>
    {
        /**
         * Makes it, and adds what must be closed.
         *
         * @return what was made
         * @throws IOException when it cannot be made
         */
        T open() throws IOException;
    }

    /**
     * Registers the shutdown hook.
     *
     * @param err takes what the user must know of the closing
     */
    public Cleanup(final PrintWriter err)
    {
        this.err = err;
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
        if (interrupted && !Thread.holdsLock(open))
        {
            closeAll();
        }
        return closeable;
    }

    /**
     * Makes something and adds it in one step: a Ctrl-C meanwhile is answered when it is made, by closing it. Does not
     * return when Ctrl-C came before.
     *
     * @param opening short; calls {@link #add(AutoCloseable)}
     * @param <T>     what it gives
     * @return what it gives
     * @throws IOException when it cannot be made
     */
    public <T> T open(final Opening<T> opening) throws IOException
    {
        synchronized (open)
        {
            if (!interrupted)
            {
                return opening.open();
            }
        }
        awaitEndIfInterrupted();
        throw new IllegalStateException("cleaned up");
    }

    /**
     * Makes a directory for the domains of a run. It goes away at the end; one that is kept is named to the user.
     *
     * @param keep whether it stays
     * @return empty, below the directory for temporary files; absolute, since processes that are given it work in other
     *     directories
     * @throws IOException when it cannot be made
     */
    public Path directory(final boolean keep) throws IOException
    {
        return open(() ->
        {
            final Path directory = Files.createTempDirectory("millrace-").toAbsolutePath().normalize();
            add(() -> end(directory, keep));
            return directory;
        });
    }

    private void end(final Path directory, final boolean keep) throws IOException
    {
        if (keep)
        {
            err.println("domains kept in " + directory);
            err.flush();
        }
        else
        {
            DomainTemplate.delete(directory);
        }
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

    /**
     * Closes everything. Does not return when Ctrl-C came before: that closes everything, too, and what the caller
     * would say of things that are gone is no news.
     */
    @Override
    public void close()
    {
        awaitEndIfInterrupted();
        closeAll();
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException e)
        {
            // Ctrl-C came meanwhile.
            interrupted = true;
            awaitEndIfInterrupted();
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

    private void close(final AutoCloseable closeable)
    {
        try
        {
            closeable.close();
        }
        catch (final Exception e)
        {
            err.println("CMD-0150: cannot clean up, reason=" + e);
            err.flush();
        }
    }
}
