package dev.millrace.server.work;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Daemon threads of one application, no more than a limit at a time. Safe for all threads. */
public final class CountedThreads implements ThreadFactory
{
    /** Threads one application may have at a time. */
    public static final int MAX_THREADS = 256;

    private final String application;

    private final AtomicInteger live = new AtomicInteger();

    /**
     * Makes a factory.
     *
     * @param application symbolic name
     */
    public CountedThreads(final String application)
    {
        this.application = application;
    }

    @Override
    public Thread newThread(final Runnable task)
    {
        if (live.incrementAndGet() > MAX_THREADS)
        {
            live.decrementAndGet();
            throw new IllegalStateException("SRV-0110: too many threads, application=" + application + " limit="
                + MAX_THREADS + " hint: lower max-threads of its channels or split the application");
        }
        final Thread thread = new Thread(() -> run(task), application);
        thread.setDaemon(true);
        return thread;
    }

    private void run(final Runnable task)
    {
        try
        {
            task.run();
        }
        finally
        {
            live.decrementAndGet();
        }
    }

    /**
     * How many threads live now.
     *
     * @return number of threads made and not ended
     */
    public int live()
    {
        return live.get();
    }
}
