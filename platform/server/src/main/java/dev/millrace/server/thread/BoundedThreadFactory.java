package dev.millrace.server.thread;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Daemon threads of one application, up to a maximum number of live threads. Thread-safe. */
public final class BoundedThreadFactory implements ThreadFactory
{
    /** Maximum live threads of one application. */
    public static final int MAX_THREADS = 256;

    private final String application;

    private final AtomicInteger live = new AtomicInteger();

    public BoundedThreadFactory(final String application)
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
                + MAX_THREADS + " hint: reduce max-threads of its channels or split the application");
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
}
