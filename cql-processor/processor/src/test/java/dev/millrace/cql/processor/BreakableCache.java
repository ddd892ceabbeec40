package dev.millrace.cql.processor;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheListener;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A cache whose entries sometimes cannot be read. */
public final class BreakableCache implements Cache
{
    private final List<CacheListener> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean broken;
    private volatile Runnable onEntries = () ->
    {
    };
    private final Cache cache;

    public BreakableCache(final Cache cache)
    {
        this.cache = cache;
    }

    /** Whether reading all entries fails. */
    public void broken(final boolean isBroken)
    {
        broken = isBroken;
    }

    /** Runs an action before all entries are read. */
    public void onEntries(final Runnable action)
    {
        onEntries = action;
    }

    public List<CacheListener> listeners()
    {
        return listeners;
    }

    @Override
    public String id()
    {
        return cache.id();
    }

    @Override
    public Object get(final Object key)
    {
        return cache.get(key);
    }

    @Override
    public Map<Object, Object> getAll(final Collection<?> keys)
    {
        return cache.getAll(keys);
    }

    @Override
    public Object put(final Object key, final Object value)
    {
        return cache.put(key, value);
    }

    @Override
    public Object remove(final Object key)
    {
        return cache.remove(key);
    }

    @Override
    public int size()
    {
        return cache.size();
    }

    @Override
    public Map<Object, Object> entries()
    {
        if (broken)
        {
            throw new IllegalStateException("the cache is out of order");
        }
        onEntries.run();
        return cache.entries();
    }

    @Override
    public void addListener(final CacheListener listener)
    {
        listeners.add(listener);
        cache.addListener(listener);
    }

    @Override
    public void removeListener(final CacheListener listener)
    {
        listeners.remove(listener);
        cache.removeListener(listener);
    }
}
