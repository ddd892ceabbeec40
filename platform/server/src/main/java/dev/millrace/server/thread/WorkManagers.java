package dev.millrace.server.thread;

import dev.millrace.server.config.ServerConfiguration.WorkManagerSettings;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The work managers of {@code config.xml}: bounded pools with bounded queues, created on first use and without threads
 * while idle.
 */
public final class WorkManagers implements AutoCloseable
{
    private static final int QUEUE_CAPACITY = 1_024;

    private static final long KEEP_ALIVE_SECONDS = 10;

    private final Map<String, WorkManagerSettings> settings;

    private final Map<String, ThreadPoolExecutor> pools = new ConcurrentHashMap<>();

    public WorkManagers(final Map<String, WorkManagerSettings> settings)
    {
        this.settings = Map.copyOf(settings);
    }

    /** Returns the pool with a name; the pool rejects work when its queue is full. */
    public Executor pool(final String name)
    {
        return pools.computeIfAbsent(name, this::newPool);
    }

    private ThreadPoolExecutor newPool(final String name)
    {
        final WorkManagerSettings setting = settings.get(name);
        if (setting == null)
        {
            throw new IllegalArgumentException("no work manager with this name, name=" + name);
        }
        final AtomicInteger count = new AtomicInteger();
        // A pool with a queue grows only to its core size, so the core size is the maximum, and idle threads end.
        final ThreadPoolExecutor pool = new ThreadPoolExecutor(setting.maxThreads(), setting.maxThreads(),
            KEEP_ALIVE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(QUEUE_CAPACITY), task ->
            {
                final Thread thread = new Thread(task, "millrace-" + name + '-' + count.incrementAndGet());
                thread.setDaemon(true);
                return thread;
            });
        pool.allowCoreThreadTimeOut(setting.minThreads() == 0);
        return pool;
    }

    @Override
    public void close()
    {
        pools.values().forEach(ThreadPoolExecutor::shutdownNow);
    }
}
