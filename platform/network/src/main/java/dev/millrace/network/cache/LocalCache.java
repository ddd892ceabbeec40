package dev.millrace.network.cache;

import dev.millrace.api.cache.CacheListener;
import dev.millrace.api.cache.CacheLoader;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.cache.CacheStore;
import dev.millrace.api.cache.EvictionPolicy;
import dev.millrace.api.stage.StatisticsSource;
import dev.millrace.api.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cache in the memory of this server, of at most {@code max-size} entries. When it is full, an insertion evicts the
 * entry that its eviction policy selects. With a time to live, an entry expires when it was not put again for that
 * time. Listeners are notified of evictions and expirations as of removals; the store is not.
 *
 * <p>Thread-safe: one monitor guards the cache, so listeners and the store see changes in order. They are called while
 * it is held and must return quickly. The loader is called without it. Failure: an exception of the loader or the store
 * reaches the caller and nothing is changed; an exception of a listener is logged. Null keys and values are refused.
 */
public final class LocalCache implements PreloadedCache, StatisticsSource, AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(LocalCache.class);
    private static final int INITIAL_CAPACITY = 64;
    private static final float LOAD_FACTOR = 0.75f;

    private final CacheSettings settings;
    private final CacheLoader loader;
    private final CacheStore store;
    private final List<CacheListener> listeners = new CopyOnWriteArrayList<>();
    private final Clock clock;
    private final long timeToLiveNs;
    /** Entries in eviction order, unless the policy is by frequency of use. */
    private final Map<Object, Object> values;
    /** Keys by frequency of use; null for other policies. */
    private final UseFrequency uses;
    /** Times of the last put, oldest first; empty without a time to live. */
    private final Map<Object, Long> written = new LinkedHashMap<>();
    private Expiry expiry = Expiry.NONE;
    private long evicted;
    private long expired;

    LocalCache(final CacheSettings settings, final Clock clock)
    {
        this.settings = settings;
        this.clock = clock;
        loader = settings.loader();
        store = loader instanceof CacheStore both ? both : null;
        timeToLiveNs = settings.limits().timeToLiveNs();
        final EvictionPolicy policy = settings.limits().eviction();
        values = new LinkedHashMap<>(INITIAL_CAPACITY, LOAD_FACTOR, policy != EvictionPolicy.FIFO);
        uses = policy == EvictionPolicy.LFU ? new UseFrequency() : null;
    }

    /** Notified when the cache is closed. */
    @FunctionalInterface
    interface Expiry
    {
        Expiry NONE = () ->
        {
        };

        void end();
    }

    /** Sets the object that expires old entries. */
    void expiry(final Expiry used)
    {
        synchronized (values)
        {
            expiry = used;
        }
    }

    /** Removes entries that are too old. */
    void expire()
    {
        synchronized (values)
        {
            if (written.isEmpty())
            {
                return;
            }
            final long nowNs = clock.epochNs();
            final Iterator<Map.Entry<Object, Long>> oldest = written.entrySet().iterator();
            while (oldest.hasNext())
            {
                final Map.Entry<Object, Long> entry = oldest.next();
                if (nowNs - entry.getValue() < timeToLiveNs)
                {
                    return;
                }
                final Object key = entry.getKey();
                oldest.remove();
                final Object value = values.remove(key);
                forgetUses(key);
                expired++;
                tell(key, value, null);
            }
        }
    }

    private void forgetUses(final Object key)
    {
        if (uses != null)
        {
            uses.remove(key);
        }
    }

    private Object used(final Object key)
    {
        final Object value = values.get(key);
        if (uses != null && value != null)
        {
            uses.add(key);
        }
        return value;
    }

    /** Puts a value; returns the previous one. */
    private Object set(final Object key, final Object value)
    {
        final Object before = values.put(key, value);
        if (uses != null)
        {
            uses.add(key);
        }
        if (timeToLiveNs > 0)
        {
            written.remove(key);
            written.put(key, clock.epochNs());
        }
        tell(key, before, value);
        evict();
        return before;
    }

    private Object unset(final Object key)
    {
        final Object before = values.remove(key);
        written.remove(key);
        forgetUses(key);
        return before;
    }

    /**
     * Returns the declared settings.
     *
     * @return settings
     */
    public CacheSettings settings()
    {
        return settings;
    }

    @Override
    public String id()
    {
        return settings.id();
    }

    @Override
    public void preload() throws Exception
    {
        if (loader == null)
        {
            return;
        }
        final Map<Object, Object> loaded = loader.loadAll();
        if (loaded == null)
        {
            throw new IllegalStateException("loader returned null instead of a map, loader="
                + loader.getClass().getName());
        }
        if (loaded.size() > settings.maxSize())
        {
            throw new IllegalStateException("loader returned more entries than the cache may hold, entries=" +
                loaded.size() + " max-size=" + settings.maxSize());
        }
        loaded.forEach((key, value) -> keep(checked(key, "key"), checked(value, "value"), true));
    }

    @Override
    public Object get(final Object key)
    {
        expire();
        synchronized (values)
        {
            final Object value = used(key);
            if (value != null || loader == null || key == null)
            {
                return value;
            }
        }
        final Object loaded = loader.load(key);
        return loaded == null ? null : keep(key, loaded, false);
    }

    @Override
    public boolean findsElsewhere()
    {
        return loader != null && !loader.loadsEverything();
    }

    @Override
    public Map<Object, Object> getAll(final Collection<?> keys)
    {
        final Map<Object, Object> found = new LinkedHashMap<>();
        final List<Object> missing = new ArrayList<>();
        expire();
        synchronized (values)
        {
            for (final Object key : keys)
            {
                final Object value = used(key);
                if (value != null)
                {
                    found.put(key, value);
                }
                else
                {
                    missing.add(key);
                }
            }
        }
        if (loader != null && !missing.isEmpty())
        {
            loader.loadAll(missing).forEach((key, value) ->
                found.put(key, keep(checked(key, "key"), checked(value, "value"), false)));
        }
        return found;
    }

    @Override
    public Object put(final Object key, final Object value)
    {
        checked(key, "key");
        checked(value, "value");
        synchronized (values)
        {
            if (store != null)
            {
                store.store(key, value);
            }
            return set(key, value);
        }
    }

    @Override
    public void putAll(final Map<?, ?> several)
    {
        several.forEach((key, value) ->
        {
            checked(key, "key");
            checked(value, "value");
        });
        synchronized (values)
        {
            if (store != null)
            {
                store.storeAll(several);
            }
            several.forEach(this::set);
        }
    }

    @Override
    public Object remove(final Object key)
    {
        synchronized (values)
        {
            if (store != null)
            {
                store.remove(key);
            }
            final Object before = unset(key);
            if (before != null)
            {
                tell(key, before, null);
            }
            return before;
        }
    }

    @Override
    public int size()
    {
        expire();
        synchronized (values)
        {
            return values.size();
        }
    }

    @Override
    public Map<Object, Object> entries()
    {
        expire();
        synchronized (values)
        {
            return Collections.unmodifiableMap(new LinkedHashMap<>(values));
        }
    }

    @Override
    public void addListener(final CacheListener listener)
    {
        listeners.add(Objects.requireNonNull(listener, "listener"));
    }

    @Override
    public void removeListener(final CacheListener listener)
    {
        listeners.remove(listener);
    }

    /**
     * Stores a loaded value; a value that another thread has put in the meantime is kept unless it is to be replaced.
     */
    private Object keep(final Object key, final Object value, final boolean replace)
    {
        synchronized (values)
        {
            final Object before = used(key);
            if (before != null && !replace)
            {
                return before;
            }
            set(key, value);
            return value;
        }
    }

    /**
     * Returns the statistics.
     *
     * @return {@code evicted}: entries evicted because the cache was full; {@code expired}: entries that were too old
     */
    @Override
    public Map<String, Object> statistics()
    {
        synchronized (values)
        {
            return Map.of("evicted", evicted, "expired", expired);
        }
    }

    /** Entries no longer expire; everything else continues to work. */
    @Override
    public void close()
    {
        synchronized (values)
        {
            expiry.end();
            expiry = Expiry.NONE;
        }
    }

    private void evict()
    {
        if (values.size() > settings.maxSize())
        {
            final Object key = uses == null ? values.keySet().iterator().next() : uses.least();
            evicted++;
            tell(key, unset(key), null);
        }
    }

    private void tell(final Object key, final Object before, final Object after)
    {
        for (final CacheListener listener : listeners)
        {
            try
            {
                listener.onChange(key, before, after);
            }
            catch (final RuntimeException e)
            {
                LOG.warn("cache listener failed, cache={} key={} listener={}", id(), key, listener, e);
            }
        }
    }

    private Object checked(final Object part, final String what)
    {
        if (part == null)
        {
            throw new IllegalArgumentException(what + " must not be null, cache=" + id());
        }
        return part;
    }
}
