package dev.millrace.cluster.cache;

import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.cache.CachingSystem;
import dev.millrace.cluster.Cluster;
import java.util.function.LongSupplier;

/**
 * Makes caches whose entries all members of a cluster have alike: those of one name share them, across applications.
 * Every member that has used a cache keeps a copy as long as it runs. Safe for all threads.
 */
public final class ClusteredCachingSystem implements CachingSystem, AutoCloseable
{
    /** What assembly files write as {@code provider}. */
    public static final String PROVIDER = "cluster";

    private final SharedCaches caches;
    private final LongSupplier clockNs;

    private ClusteredCachingSystem(final Cluster cluster, final LongSupplier clockNs)
    {
        this.clockNs = clockNs;
        caches = new SharedCaches(cluster, clockNs);
    }

    /**
     * Begins to take part, with a thread of its own; every member does, whether it has caches or not, for the one that
     * has been there longest puts the changes of all in order.
     *
     * @param cluster this member is in
     * @param clockNs nanoseconds that only go on
     * @return the caching system
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

    /** Ends the thread; caches refuse changes from now on. */
    @Override
    public void close()
    {
        caches.close();
    }
}
