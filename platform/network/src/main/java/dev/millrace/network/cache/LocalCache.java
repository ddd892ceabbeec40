package dev.millrace.network.cache;

import dev.millrace.api.cache.CacheListener;
import dev.millrace.api.cache.CacheLoader;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.cache.CacheStore;
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
 * A cache in the memory of this server, of at most {@code max-size} entries: one more drives out the least recently
 * used one, and listeners hear of that as of a removal.
 *
 * <p>Threads: safe for all; one monitor guards it, so that listeners and the store see changes in their order. They
 * are called while it is held and must return quickly. The loader is asked without it. Failure: an exception of the
 * loader or the store reaches the caller and changes nothing; an exception of a listener is logged. Null keys and
 * values are refused.
 */
public final class LocalCache implements PreloadedCache
{
    private static final Logger LOG = LoggerFactory.getLogger(LocalCache.class);
    private static final int INITIAL_CAPACITY = 64;
    private static final float LOAD_FACTOR = 0.75f;

    private final CacheSettings settings;
    private final CacheLoader loader;
    private final CacheStore store;
    private final List<CacheListener> listeners = new CopyOnWriteArrayList<>();
    private final Map<Object, Object> values = new LinkedHashMap<>(INITIAL_CAPACITY, LOAD_FACTOR, true);

    LocalCache(final CacheSettings settings)
    {
        this.settings = settings;
        loader = settings.loader();
        store = loader instanceof CacheStore both ? both : null;
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
        synchronized (values)
        {
            final Object value = values.get(key);
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
        synchronized (values)
        {
            for (final Object key : keys)
            {
                final Object value = values.get(key);
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
            final Object before = values.put(key, value);
            tell(key, before, value);
            evict();
            return before;
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
            final Object before = values.remove(key);
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
        synchronized (values)
        {
            return values.size();
        }
    }

    @Override
    public Map<Object, Object> entries()
    {
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
            final Object before = values.get(key);
            if (before != null && !replace)
            {
                return before;
            }
            values.put(key, value);
            tell(key, before, value);
            evict();
            return value;
        }
    }

    private void evict()
    {
        if (values.size() > settings.maxSize())
        {
            final Iterator<Map.Entry<Object, Object>> eldest = values.entrySet().iterator();
            final Map.Entry<Object, Object> gone = eldest.next();
            final Object key = gone.getKey();
            final Object value = gone.getValue();
            eldest.remove();
            tell(key, value, null);
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
