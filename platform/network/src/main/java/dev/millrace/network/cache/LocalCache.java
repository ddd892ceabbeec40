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
 * A cache in the memory of this server, of at most {@code max-size} entries: one more drives out the one that its
 * eviction policy names. With a time to live an entry leaves when it was not put again for so long. Listeners hear of
 * both as of a removal; the store does not.
 *
 * <p>Threads: safe for all; one monitor guards it, so that listeners and the store see changes in their order. They
 * are called while it is held and must return quickly. The loader is asked without it. Failure: an exception of the
 * loader or the store reaches the caller and changes nothing; an exception of a listener is logged. Null keys and
 * values are refused.
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
    /** In the order in which they leave, unless that is by how often they are used. */
    private final Map<Object, Object> values;
    /** By how often they are used; null unless that counts. */
    private final Uses uses;
    /** In the order of putting, with the time; empty without a time to live. */
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
        uses = policy == EvictionPolicy.LFU ? new Uses() : null;
    }

    /** Tells when the cache is not used any more. */
    @FunctionalInterface
    interface Expiry
    {
        Expiry NONE = () ->
        {
        };

        void end();
    }

    /** Takes over what looks after old entries. */
    void expiry(final Expiry used)
    {
        synchronized (values)
        {
            expiry = used;
        }
    }

    /** Lets entries go that are too old. */
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

    /** Puts a value; gives the one before. */
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
     * How the cache was declared.
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
            throw new IllegalStateException("loader gave null instead of a map, loader=" + loader.getClass().getName());
        }
        if (loaded.size() > settings.maxSize())
        {
            throw new IllegalStateException("loader gave more entries than the cache may hold, entries=" +
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

    /** Takes in what the loader gave; what another thread put meanwhile stays unless it is to be replaced. */
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
     * Figures: entries driven out because the cache was full, and because they were too old.
     *
     * @return {@code evicted}, {@code expired}
     */
    @Override
    public Map<String, Object> statistics()
    {
        synchronized (values)
        {
            return Map.of("evicted", evicted, "expired", expired);
        }
    }

    /** Nobody looks after old entries any more; everything else works on. */
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
