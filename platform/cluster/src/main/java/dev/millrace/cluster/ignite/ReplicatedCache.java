package dev.millrace.cluster.ignite;

import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.configuration.CacheConfiguration;

/** How Ignite keeps what members share: all of it in each member, a write done when all have it. */
final class ReplicatedCache
{
    /**
     * Each has a tree of its own in each member, its members are ranked anew whenever one comes or goes, and a joining
     * member asks for each; so as few as spread the writers. Ignite's default of 512 is for large caches.
     */
    static final int PARTITIONS = 16;

    private ReplicatedCache()
    {
    }

    static CacheConfiguration<String, byte[]> named(final String name)
    {
        return new CacheConfiguration<String, byte[]>("millrace." + name).setCacheMode(CacheMode.REPLICATED)
            .setAtomicityMode(CacheAtomicityMode.ATOMIC)
            .setAffinity(new RendezvousAffinityFunction(false, PARTITIONS))
            .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_SYNC);
    }
}
