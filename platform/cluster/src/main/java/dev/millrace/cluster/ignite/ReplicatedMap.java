package dev.millrace.cluster.ignite;

import dev.millrace.cluster.SharedMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.EventType;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.query.ContinuousQuery;
import org.apache.ignite.configuration.CacheConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replicated cache, and a copy of it in this process that a continuous query keeps.
 *
 * <p>Threads: Ignite's apply changes to the copy, after those that a new node has found there; listeners are called by
 * the thread of the cluster.
 */
final class ReplicatedMap implements SharedMap, Replicated
{
    private static final Logger LOG = LoggerFactory.getLogger(ReplicatedMap.class);

    private final String name;
    private final String member;
    private final Executor teller;
    private final NavigableMap<String, byte[]> copy = new ConcurrentSkipListMap<>();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Object lock = new Object();
    private volatile IgniteCache<String, byte[]> cache;
    /** Changes that come while a node's content is looked at; null otherwise. Guarded by the lock. */
    private List<Change> early;

    /** A change; a null value removes. */
    private record Change(String key, byte[] value)
    {
    }

    ReplicatedMap(final String name, final String member, final Executor teller)
    {
        this.name = name;
        this.member = member;
        this.teller = teller;
    }

    /**
     * Binds it to a node that has joined: takes over what the others have, or gives what it knew when the node is the
     * first of a cluster, as after a pause of the whole machine. Not on a thread of Ignite.
     */
    @Override
    public void open(final Ignite ignite)
    {
        synchronized (lock)
        {
            early = new ArrayList<>();
        }
        final IgniteCache<String, byte[]> opened = ignite.getOrCreateCache(
            new CacheConfiguration<String, byte[]>("millrace." + name).setCacheMode(CacheMode.REPLICATED)
                .setAtomicityMode(CacheAtomicityMode.ATOMIC)
                .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_SYNC));
        final ContinuousQuery<String, byte[]> changes = new ContinuousQuery<>();
        changes.setLocal(true);
        changes.setLocalListener(this::onEvents);
        opened.query(changes);
        if (ignite.cluster().localNode().order() == 1)
        {
            copy.forEach(opened::putIfAbsent);
        }
        final Map<String, byte[]> found = new TreeMap<>();
        opened.forEach(each -> found.put(each.getKey(), each.getValue()));
        synchronized (lock)
        {
            copy.keySet().stream().filter(key -> !found.containsKey(key)).toList().forEach(key -> apply(key, null));
            found.forEach(this::apply);
            early.forEach(each -> apply(each.key(), each.value()));
            early = null;
        }
        cache = opened;
    }

    /** The node is gone; the copy stays as it is. */
    @Override
    public void close()
    {
        cache = null;
    }

    /** On threads of Ignite: must not wait for the cache. */
    private void onEvents(final Iterable<CacheEntryEvent<? extends String, ? extends byte[]>> events)
    {
        synchronized (lock)
        {
            for (final CacheEntryEvent<? extends String, ? extends byte[]> event : events)
            {
                final boolean isGone = event.getEventType() == EventType.REMOVED ||
                    event.getEventType() == EventType.EXPIRED;
                final Change change = new Change(event.getKey(), isGone ? null : event.getValue());
                if (early == null)
                {
                    apply(change.key(), change.value());
                }
                else
                {
                    early.add(change);
                }
            }
        }
    }

    /** Under the lock. */
    private void apply(final String key, final byte[] value)
    {
        final byte[] before = value == null ? copy.remove(key) : copy.put(key, value);
        if (value == null ? before != null : !Arrays.equals(before, value))
        {
            teller.execute(() -> listeners.forEach(each -> tell(each, key, value)));
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
            LOG.error("CLU-0007 a listener failed, map={} name={} listener={}; the others are told", name, key,
                listener, e);
        }
    }

    private IgniteCache<String, byte[]> writable()
    {
        final IgniteCache<String, byte[]> here = cache;
        if (here == null)
        {
            throw new FencedException(member);
        }
        return here;
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
        final IgniteCache<String, byte[]> here = writable();
        if (expected == null)
        {
            return value == null ? !here.containsKey(key) : here.putIfAbsent(key, value);
        }
        return value == null ? here.remove(key, expected) : here.replace(key, expected, value);
    }

    @Override
    public void put(final String key, final byte[] value)
    {
        if (value == null)
        {
            writable().remove(key);
        }
        else
        {
            writable().put(key, value);
        }
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
