package dev.millrace.cluster.ignite;

import dev.millrace.cluster.ReplicatedMap;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import javax.cache.CacheException;
import javax.cache.event.CacheEntryEvent;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.query.ContinuousQuery;
import org.apache.ignite.lang.IgniteFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replicated cache with a local copy that a continuous query maintains.
 *
 * <p>Threads: Ignite's threads report which keys have changed; the thread of the cluster reads them and calls
 * listeners.
 */
final class IgniteReplicatedMap implements ReplicatedMap, NodeBound
{
    private static final Logger LOG = LoggerFactory.getLogger(IgniteReplicatedMap.class);
    private static final int AWAIT_OTHER_MS = 1_000;
    private static final long NS_PER_MS = 1_000_000;

    private final String name;
    private final Executor teller;
    private final NavigableMap<String, byte[]> copy = new ConcurrentSkipListMap<>();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Object lock = new Object();
    private final IgniteReplicatedCache cache;

    /**
     * @param teller runs what reads changed values and calls listeners, never on the calling thread: that may be a
     *               thread of Ignite, which would wait for itself
     */
    IgniteReplicatedMap(final String name, final String member, final Executor teller)
    {
        this.name = name;
        this.teller = teller;
        cache = new IgniteReplicatedCache("map", name, member, this::all);
    }

    /**
     * Binds it to a node that has joined: copies the values of the other members, or publishes its own when the node is
     * the first of a cluster, for example after a pause of the whole machine. Not called on threads of Ignite.
     */
    @Override
    public void open(final Ignite ignite)
    {
        // Later changes are reported from here on; earlier ones are read below.
        final IgniteCache<String, byte[]> opened = cache.open(ignite);
        final ContinuousQuery<String, byte[]> changes = new ContinuousQuery<>();
        changes.setLocal(true);
        changes.setLocalListener(this::onEvents);
        opened.query(changes);
        if (ignite.cluster().localNode().order() == 1)
        {
            copy.forEach(opened::putIfAbsent);
        }
        cache.giveLost();
        final Set<String> keys = new TreeSet<>(copy.keySet());
        opened.forEach(each -> keys.add(each.getKey()));
        keys.forEach(key -> refresh(opened, key));
    }

    /** The node has stopped; the copy remains unchanged. */
    @Override
    public void close()
    {
        cache.close();
    }

    /**
     * Called on threads of Ignite: must not wait for the cache. Two changes of one key may be reported out of order on
     * two threads, so only the key is used; its value is read afterwards.
     */
    private void onEvents(final Iterable<CacheEntryEvent<? extends String, ? extends byte[]>> events)
    {
        for (final CacheEntryEvent<? extends String, ? extends byte[]> event : events)
        {
            final String key = event.getKey();
            teller.execute(() -> refresh(key));
        }
    }

    private void refresh(final String key)
    {
        final IgniteCache<String, byte[]> here = cache.now();
        if (here == null)
        {
            return;
        }
        try
        {
            refresh(here, key);
        }
        catch (final CacheException | IllegalStateException e)
        {
            // The node is stopping; all values are read again when the member has rejoined.
            LOG.debug("a changed value cannot be read, map={} name={}", name, key, e);
        }
    }

    /** Reads under the lock, so that later calls see the same or a later value. */
    private void refresh(final IgniteCache<String, byte[]> here, final String key)
    {
        synchronized (lock)
        {
            final byte[] value = here.get(key);
            final byte[] before = value == null ? copy.remove(key) : copy.put(key, value);
            if (value == null ? before != null : !Arrays.equals(before, value))
            {
                teller.execute(() -> listeners.forEach(each -> tell(each, key, value)));
            }
        }
    }

    private void tell(final Listener listener, final String key, final byte[] value)
    {
        try
        {
            listener.changed(key, value);
        }
        catch (final RuntimeException e)
        {
            LOG.error("CLU-0007 a listener failed, map={} name={} listener={}; other listeners are not affected",
                name, key,
                listener, e);
        }
    }

    @Override
    public byte[] get(final String key)
    {
        return copy.get(key);
    }

    @Override
    public Map<String, byte[]> all()
    {
        return Collections.unmodifiableMap(new TreeMap<>(copy));
    }

    @Override
    public boolean replace(final String key, final byte[] expected, final byte[] value)
    {
        return cache.with(here -> replace(here, key, expected, value));
    }

    private boolean replace(final IgniteCache<String, byte[]> here, final String key, final byte[] expected,
        final byte[] value)
    {
        final boolean isDone;
        if (expected == null && value == null)
        {
            isDone = !cache.await(here.containsKeyAsync(key));
        }
        else
        {
            isDone = cache.await(expected == null ? here.putIfAbsentAsync(key, value) :
                value == null ? here.removeAsync(key, expected) : here.replaceAsync(key, expected, value));
        }
        if (!isDone)
        {
            awaitOther(here, key, expected);
        }
        refresh(key);
        return isDone;
    }

    /** Waits until the local copy contains the faster change, which the deciding node already has. */
    private static void awaitOther(final IgniteCache<String, byte[]> here, final String key, final byte[] expected)
    {
        for (int i = 0; i < AWAIT_OTHER_MS && Arrays.equals(here.get(key), expected); i++)
        {
            LockSupport.parkNanos(NS_PER_MS);
        }
    }

    @Override
    public void put(final String key, final byte[] value)
    {
        cache.with(here ->
        {
            final IgniteFuture<?> change = value == null ? here.removeAsync(key) : here.putAsync(key, value);
            return cache.await(change);
        });
        refresh(key);
    }

    @Override
    public void addListener(final Listener listener)
    {
        listeners.add(listener);
        teller.execute(() -> copy.forEach((key, value) -> tell(listener, key, value)));
    }

    @Override
    public void removeListener(final Listener listener)
    {
        listeners.remove(listener);
    }
}
