package dev.millrace.api.cache;

import java.util.Collection;
import java.util.Map;

/**
 * Values by key. Safe for all threads. Keys and values are objects at this edge; the engine keeps its own coded copy
 * for joins.
 */
public interface Cache
{
    /**
     * The id of the cache.
     *
     * @return id from the assembly file
     */
    String id();

    /**
     * A value by key; asks the loader when the key is not there.
     *
     * @param key key
     * @return value or {@code null}
     */
    Object get(Object key);

    /**
     * Whether {@link #get} may find a value elsewhere for a key that is not in the cache. Then joins ask it for every
     * row that needs a value; otherwise they run on a copy that follows its changes, many times faster.
     *
     * @return false unless overridden
     */
    default boolean findsElsewhere()
    {
        return false;
    }

    /**
     * Several values by key.
     *
     * @param keys keys
     * @return found entries
     */
    Map<Object, Object> getAll(Collection<?> keys);

    /**
     * Puts a value.
     *
     * @param key   key
     * @param value value
     * @return the value before, or {@code null}
     */
    Object put(Object key, Object value);

    /**
     * Puts several values; in a cluster they travel together.
     *
     * @param values by key
     */
    default void putAll(final Map<?, ?> values)
    {
        values.forEach(this::put);
    }

    /**
     * Removes a value.
     *
     * @param key key
     * @return the value before, or {@code null}
     */
    Object remove(Object key);

    /**
     * Number of entries.
     *
     * @return at least 0
     */
    int size();

    /**
     * A snapshot of all entries.
     *
     * @return immutable map
     */
    Map<Object, Object> entries();

    /**
     * Tells a listener about every change from now on.
     *
     * @param listener called by the changing thread, or by one thread of a cluster for the changes of all members
     */
    void addListener(CacheListener listener);

    /**
     * Stops telling a listener.
     *
     * @param listener given before
     */
    void removeListener(CacheListener listener);
}
