package dev.millrace.network.cache;

import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.cache.CachingSystem;
import dev.millrace.api.time.Clock;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Creates caches in the memory of this server. Thread-safe.
 *
 * <p>One thread expires old entries as long as there are caches with a time to live. Ownership: the caller that creates
 * a cache closes it.
 */
public final class LocalCachingSystem implements CachingSystem
{
    private static final long LEAST_LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long MOST_LOOK_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int LOOKS = 10;
    private static final long IDLE_SECONDS = 5;

    private final Clock clock;
    /** Open caches with a time to live. */
    private final Set<LocalCache> expiring = ConcurrentHashMap.newKeySet();
    private ScheduledThreadPoolExecutor looks;

    /** Creates a system whose entries expire by the system clock. */
    public LocalCachingSystem()
    {
        this(Clock.SYSTEM);
    }

    /**
     * Creates a system whose entries expire by the given clock.
     *
     * @param clock measures the age of entries
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
            expiring.add(cache);
            cache.expiry(() ->
            {
                look.cancel(false);
                expiring.remove(cache);
            });
        }
        return cache;
    }

    /** Removes expired entries now, on the calling thread; for callers that advance the clock. */
    public void expire()
    {
        expiring.forEach(LocalCache::expire);
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
            // The thread ends when the last cache is closed.
            looks.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
            looks.allowCoreThreadTimeOut(true);
        }
        return looks;
    }
}
