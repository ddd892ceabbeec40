package dev.millrace.cluster.ignite;

import dev.millrace.cluster.SharedMap.FencedException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.cache.CacheException;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.IgniteException;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.cache.CacheRebalanceMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.PartitionLossPolicy;
import org.apache.ignite.cache.affinity.Affinity;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.configuration.CacheConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How Ignite keeps what members share: all of it in each member, a write done when all have it, bound to one node after
 * the other. A node has joined when it has all values, and not before: the others may go at any moment.
 *
 * <p>Safe for all threads; not for those of Ignite, except {@link #close}.
 */
final class ReplicatedCache
{
    /**
     * Each has a tree of its own in each member, its members are ranked anew whenever one comes or goes, and a joining
     * member asks for each; so as few as spread the writers. Ignite's default of 512 is for large caches.
     */
    static final int PARTITIONS = 16;

    private static final Logger LOG = LoggerFactory.getLogger(ReplicatedCache.class);
    /** Of one piece of work, when values are lost again and again. */
    private static final int MAX_TRIES = 8;

    private final String kind;
    private final String name;
    private final String member;
    private final Supplier<Map<String, byte[]>> known;
    /** Held alone while lost values are given up and what is known of them is put back. */
    private final ReadWriteLock giving = new ReentrantReadWriteLock();
    private volatile Bound bound;

    /**
     * To a node.
     *
     * @param ignite the node
     * @param cache  of it
     */
    private record Bound(Ignite ignite, IgniteCache<String, byte[]> cache)
    {
    }

    /**
     * Makes it; it is bound to no node yet.
     *
     * @param kind   of what members share, for messages
     * @param name   which nothing else has
     * @param member name of this one
     * @param known  what this member can give when the others have lost it
     */
    ReplicatedCache(final String kind, final String name, final String member,
        final Supplier<Map<String, byte[]>> known)
    {
        this.kind = kind;
        this.name = name;
        this.member = member;
        this.known = known;
    }

    /** Binds it to a node that has joined. */
    IgniteCache<String, byte[]> open(final Ignite ignite)
    {
        final IgniteCache<String, byte[]> cache =
            ignite.getOrCreateCache(new CacheConfiguration<String, byte[]>("millrace." + name)
                .setCacheMode(CacheMode.REPLICATED).setAtomicityMode(CacheAtomicityMode.ATOMIC)
                .setAffinity(new RendezvousAffinityFunction(false, PARTITIONS))
                .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_SYNC)
                .setRebalanceMode(CacheRebalanceMode.SYNC)
                .setPartitionLossPolicy(PartitionLossPolicy.READ_WRITE_SAFE));
        bound = new Bound(ignite, cache);
        return cache;
    }

    /** The node is gone. */
    void close()
    {
        bound = null;
    }

    /** That of the node at hand; {@code null} when there is none. */
    IgniteCache<String, byte[]> now()
    {
        final Bound here = bound;
        return here == null ? null : here.cache();
    }

    /**
     * Works with the cache. A node that stops before anybody has told it here is as one that is gone. Work that fails
     * because values are lost is done again when they are given up, by this thread or by whoever was faster.
     *
     * @throws FencedException when there is no node
     */
    <T> T with(final Function<IgniteCache<String, byte[]>, T> work)
    {
        for (int left = MAX_TRIES; true; left--)
        {
            final Bound here = bound;
            if (here == null)
            {
                throw new FencedException(member);
            }
            try
            {
                return working(here, work);
            }
            catch (final CacheException | IgniteException | IllegalStateException e)
            {
                refuseWhenFenced(here, e);
                if (left == 1 || !giveLost(here) && !hasCause(e, "CacheInvalidStateException", null))
                {
                    throw e;
                }
            }
        }
    }

    private void refuseWhenFenced(final Bound here, final RuntimeException e)
    {
        if (bound != here || hasCause(e, "NodeStoppingException", IllegalStateException.class))
        {
            throw (FencedException)new FencedException(member).initCause(e);
        }
    }

    /** While nobody gives lost values up: what is done between that and their return would not find them. */
    private <T> T working(final Bound here, final Function<IgniteCache<String, byte[]>, T> work)
    {
        giving.readLock().lock();
        try
        {
            return work.apply(here.cache());
        }
        finally
        {
            giving.readLock().unlock();
        }
    }

    /** Ignite's own classes for it are internal. */
    private static boolean hasCause(final Throwable failure, final String name, final Class<?> kind)
    {
        for (Throwable cause = failure; cause != null; cause = cause.getCause())
        {
            if (cause.getClass().getSimpleName().equals(name) || kind != null && kind.isInstance(cause))
            {
                return true;
            }
        }
        return false;
    }

    /** Looks whether values were lost before anybody has asked for them; right after {@link #open}. */
    void giveLost()
    {
        final Bound here = bound;
        if (here != null)
        {
            giveLost(here);
        }
    }

    /**
     * The last member that had some of the values has died before this one had them: instead of them there is what this
     * one knew, if anything, and nobody is refused any longer.
     *
     * @return whether it was so
     */
    private boolean giveLost(final Bound here)
    {
        giving.writeLock().lock();
        try
        {
            return giveLostAlone(here);
        }
        catch (final CacheException | IgniteException | IllegalStateException e)
        {
            refuseWhenFenced(here, e);
            throw e;
        }
        finally
        {
            giving.writeLock().unlock();
        }
    }

    private boolean giveLostAlone(final Bound here)
    {
        final Collection<Integer> lost = here.cache().lostPartitions();
        if (lost.isEmpty())
        {
            return false;
        }
        final Affinity<String> parts = here.ignite().affinity(here.cache().getName());
        final Map<String, byte[]> given = new TreeMap<>(known.get());
        given.keySet().removeIf(key -> !lost.contains(parts.partition(key)));
        LOG.warn("CLU-0009 the last member that had all values has died before this one had them, {}={} member={} " +
            "parts={} of {}; what this member knew of them is there again, names={}", kind, name, member, lost.size(),
            parts.partitions(), given.keySet());
        here.ignite().resetLostPartitions(List.of(here.cache().getName()));
        given.forEach(here.cache()::putIfAbsent);
        return true;
    }
}
