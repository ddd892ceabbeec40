package dev.millrace.cluster.cache;

import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.cache.CachingSystem;
import dev.millrace.cluster.Cluster;
import java.util.function.LongSupplier;

/**
 * Creates caches that are replicated to all members of a cluster. Caches with the same name share their entries, across
 * applications. Every member that has used a cache keeps a replica until it stops. Thread-safe.
 */
public final class ClusteredCachingSystem implements CachingSystem, AutoCloseable
{
    /** Value of {@code provider} in assembly files. */
    public static final String PROVIDER = "cluster";

    private final ReplicatedCacheService caches;
    private final LongSupplier clockNs;

    private ClusteredCachingSystem(final Cluster cluster, final LongSupplier clockNs)
    {
        this.clockNs = clockNs;
        caches = new ReplicatedCacheService(cluster, clockNs);
    }

    /**
     * Starts the cache thread. Every member must do this, whether or not it has caches, because the longest-running
     * member orders the changes of all members.
     *
     * @param clockNs monotonic time in nanoseconds
     */
    public static ClusteredCachingSystem start(final Cluster cluster, final LongSupplier clockNs)
    {
        return new ClusteredCachingSystem(cluster, clockNs);
    }

    @Override
    public ClusteredCache createCache(final CacheSettings settings)
    {
        return new ClusteredCache(settings, caches, clockNs);
    }

    /** Stops the thread; caches refuse changes from now on. */
    @Override
    public void close()
    {
        caches.close();
    }
}
