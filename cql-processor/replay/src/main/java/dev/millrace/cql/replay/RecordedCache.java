package dev.millrace.cql.replay;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheListener;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A cache with the content that a unit saw: recorded changes are its only changes. Not thread-safe: the thread that
 * replays is its only user.
 */
final class RecordedCache implements Cache
{
    private final String id;
    private final Map<Object, Object> values = new LinkedHashMap<>();
    private final List<CacheListener> listeners = new ArrayList<>();

    RecordedCache(final String id)
    {
        this.id = id;
    }

    @Override
    public String id()
    {
        return id;
    }

    @Override
    public Object get(final Object key)
    {
        return values.get(key);
    }

    @Override
    public Map<Object, Object> getAll(final Collection<?> keys)
    {
        final Map<Object, Object> found = new HashMap<>(values);
        found.keySet().retainAll(keys);
        return found;
    }

    @Override
    public Object put(final Object key, final Object value)
    {
        final Object before = values.put(key, value);
        listeners.forEach(listener -> listener.onChange(key, before, value));
        return before;
    }

    @Override
    public Object remove(final Object key)
    {
        final Object before = values.remove(key);
        listeners.forEach(listener -> listener.onChange(key, before, null));
        return before;
    }

    void clear()
    {
        List.copyOf(values.keySet()).forEach(this::remove);
    }

    @Override
    public int size()
    {
        return values.size();
    }

    @Override
    public Map<Object, Object> entries()
    {
        return Map.copyOf(values);
    }

    @Override
    public void addListener(final CacheListener listener)
    {
        listeners.add(listener);
    }

    @Override
    public void removeListener(final CacheListener listener)
    {
        listeners.remove(listener);
    }
}
