package dev.millrace.network.cache;

import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.cache.CachingSystem;
import dev.millrace.api.time.Clock;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Makes caches that live in the memory of this server. Safe for all threads.
 *
 * <p>Threads: one that looks for entries which are too old, as long as there are caches with a time to live. Ownership:
 * whoever makes such a cache closes it.
 */
public final class LocalCachingSystem implements CachingSystem
{
    private static final long LEAST_LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long MOST_LOOK_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int LOOKS = 10;
    private static final long IDLE_SECONDS = 5;

    private final Clock clock;
    private ScheduledThreadPoolExecutor looks;

    /** Caches whose entries age by the clock of the system. */
    public LocalCachingSystem()
    {
        this(Clock.SYSTEM);
    }

    /**
     * Caches whose entries age by a clock.
     *
     * @param clock tells the time
     */
    public LocalCachingSystem(final Clock clock)
    {
        this.clock = clock;
    }

    @Override
    public LocalCache createCache(final CacheSettings settings)
    {
        final LocalCache cache = new LocalCache(settings, clock);
        final long timeToLiveNs = settings.limits().timeToLiveNs();
        if (timeToLiveNs > 0)
        {
            final long everyNs = Math.min(MOST_LOOK_NS, Math.max(LEAST_LOOK_NS, timeToLiveNs / LOOKS));
            final Future<?> look =
                looks().scheduleWithFixedDelay(cache::expire, everyNs, everyNs, TimeUnit.NANOSECONDS);
            cache.expiry(() -> look.cancel(false));
        }
        return cache;
    }

    private synchronized ScheduledThreadPoolExecutor looks()
    {
        if (looks == null)
        {
            looks = new ScheduledThreadPoolExecutor(1, work ->
            {
                final Thread thread = new Thread(work, "millrace-cache-expiry");
                thread.setDaemon(true);
                return thread;
            });
            looks.setRemoveOnCancelPolicy(true);
            // No thread stays behind when the last cache is closed.
            looks.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
            looks.allowCoreThreadTimeOut(true);
        }
        return looks;
    }
}
