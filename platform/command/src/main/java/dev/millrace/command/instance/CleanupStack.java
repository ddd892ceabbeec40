package dev.millrace.command.instance;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;

/**
 * Closes resources in reverse order when the command ends: normally, with an exception, or by Ctrl-C.
 *
 * <p>Threads: the main thread adds resources; they are closed on it or on the shutdown hook.
 */
public final class CleanupStack implements AutoCloseable
{
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Thread hook = new Thread(this::interrupt, "millrace-cleanup");
    private final PrintWriter err;
    private volatile boolean interrupted;

    /**
     * Creates something that must be closed.
     *
     * @param <T> its result
     */
    @FunctionalInterface
    public interface Opening<T>
    {
        /**
         * Creates the object and adds the resources to close.
         *
         * @throws IOException when it cannot be created
         */
        T open() throws IOException;
    }

    /**
     * Registers the shutdown hook.
     *
     * @param err receives failures of closing
     */
    public CleanupStack(final PrintWriter err)
    {
        this.err = err;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Adds a resource.
     *
     * @param closeable closed before everything that was added earlier
     * @return the same resource
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
     * Creates a resource and adds it atomically: a Ctrl-C in the meantime closes it after its creation. Does not return
     * when Ctrl-C came before.
     *
     * @param opening short; calls {@link #add(AutoCloseable)}
     * @param <T>     its result
     * @throws IOException when it cannot be created
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
     * Creates a directory for the domains of a run. It is deleted at the end, or its path is printed when it is kept.
     *
     * @param keep whether it is kept
     * @return empty, below the directory for temporary files; absolute, because other processes use it from other
     *         directories
     * @throws IOException when it cannot be created
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
            DirectoryDeletion.delete(directory);
        }
    }

    /**
     * Returns immediately, unless Ctrl-C is ending the process; then it never returns, because later failures are
     * irrelevant.
     */
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
     * Closes everything. Does not return when Ctrl-C came before: the hook then closes everything, and failures of the
     * caller due to closed resources are irrelevant.
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
            // Ctrl-C was pressed in the meantime.
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
