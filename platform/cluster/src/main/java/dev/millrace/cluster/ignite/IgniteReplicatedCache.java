package dev.millrace.cluster.ignite;

import dev.millrace.cluster.ReplicatedMap.ClusterTimeoutException;
import dev.millrace.cluster.ReplicatedMap.FencedException;
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
import org.apache.ignite.lang.IgniteFuture;
import org.apache.ignite.lang.IgniteFutureTimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores data shared by members in Ignite: fully replicated; a write returns when all members have it; bound to
 * successive nodes. A node has joined only when it has all values, because the other members can leave at any moment.
 *
 * <p>Thread-safe. Must not be called on threads of Ignite, except {@link #close}.
 */
final class IgniteReplicatedCache
{
    /**
     * Each partition has a tree in each member, its owners are recomputed on every membership change, and a joining
     * member requests each one. Use as few as are needed to spread writers; Ignite's default of 512 is for large
     * caches.
     */
    static final int PARTITIONS = 16;

    private static final Logger LOG = LoggerFactory.getLogger(IgniteReplicatedCache.class);
    /** Maximum attempts of one operation when values are lost repeatedly. */
    private static final int MAX_TRIES = 8;
    /** Longer than it takes to remove a member that no longer answers. */
    private static final long TIMEOUT_MS = 60_000;

    private final String kind;
    private final String name;
    private final String member;
    private final Supplier<Map<String, byte[]>> known;
    /** The write lock is held while lost partitions are reset and known values are put back. */
    private final ReadWriteLock giving = new ReentrantReadWriteLock();
    private volatile Bound bound;

    /** The binding to a node. */
    private record Bound(Ignite ignite, IgniteCache<String, byte[]> cache)
    {
    }

    /**
     * Creates a cache that is bound to no node yet.
     *
     * @param kind   of the shared data, for messages
     * @param name   must be unique
     * @param member name of this member
     * @param known  values that this member can restore when they are lost
     */
    IgniteReplicatedCache(final String kind, final String name, final String member,
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

    /** The node has stopped. */
    void close()
    {
        bound = null;
    }

    /** The cache of the current node; {@code null} if none. */
    IgniteCache<String, byte[]> now()
    {
        final Bound here = bound;
        return here == null ? null : here.cache();
    }

    /**
     * Runs an operation on the cache. A node that stops without notification is handled like one that has left. An
     * operation that fails because values were lost is repeated after lost partitions have been reset, by this thread
     * or by a faster one.
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

    /**
     * Waits for an operation in Ignite, for a limited time.
     *
     * @throws ClusterTimeoutException when it has not ended in time
     */
    <T> T await(final IgniteFuture<T> operation)
    {
        return await(operation, TIMEOUT_MS);
    }

    <T> T await(final IgniteFuture<T> operation, final long timeoutMs)
    {
        try
        {
            return operation.get(timeoutMs);
        }
        catch (final IgniteFutureTimeoutException e)
        {
            throw new ClusterTimeoutException(kind, name, member, timeoutMs, e);
        }
    }

    private void refuseWhenFenced(final Bound here, final RuntimeException e)
    {
        if (bound != here || hasCause(e, "NodeStoppingException", IllegalStateException.class))
        {
            throw (FencedException)new FencedException(member).initCause(e);
        }
    }

    /**
     * Runs an operation under the read lock: between the reset and the restoration of lost values it would not find
     * them.
     */
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

    /** Compares class names, because Ignite's exceptions for this are internal. */
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

    /** Restores values that were lost before any operation noticed; call right after {@link #open}. */
    void giveLost()
    {
        final Bound here = bound;
        if (here != null)
        {
            giveLost(here);
        }
    }

    /**
     * The last member that had some of the values died before this one had received them: restores the values that this
     * member knows, if any, and makes the partitions usable again.
     *
     * @return whether values were lost
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
        LOG.warn("CLU-0009 the last member that had all values died before this one had received them, {}={} "
            + "member={} " +
            "parts={} of {}; values known to this member are restored, names={}", kind, name, member, lost.size(),
            parts.partitions(), given.keySet());
        here.ignite().resetLostPartitions(List.of(here.cache().getName()));
        given.forEach(here.cache()::putIfAbsent);
        return true;
    }
}
