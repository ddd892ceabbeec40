package dev.millrace.api.cache;

import java.util.Collection;
import java.util.Map;

/**
 * Values by key. Thread-safe. Keys and values are objects in this interface; the engine keeps its own encoded copy for
 * joins.
 */
public interface Cache
{
    /**
     * Returns the id of the cache.
     *
     * @return id from the assembly file
     */
    String id();

    /**
     * Returns the value of a key; calls the loader when the cache does not contain the key.
     *
     * @param key key
     * @return value or {@code null}
     */
    Object get(Object key);

    /**
     * Whether {@link #get} may find a value elsewhere for a key that is not in the cache. If so, a join calls it for
     * every row that needs a value; otherwise joins use a copy that is updated with the cache's changes, which is many
     * times faster.
     *
     * @return false unless overridden
     */
    default boolean findsElsewhere()
    {
        return false;
    }

    /**
     * Returns the values of several keys.
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
     * @return the previous value, or {@code null}
     */
    Object put(Object key, Object value);

    /**
     * Puts several values; in a cluster they are sent together.
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
     * @return the previous value, or {@code null}
     */
    Object remove(Object key);

    /**
     * Returns the number of entries.
     *
     * @return at least 0
     */
    int size();

    /**
     * Returns a snapshot of all entries.
     *
     * @return immutable map
     */
    Map<Object, Object> entries();

    /**
     * Adds a listener, which is notified of every change from now on.
     *
     * @param listener called by the changing thread, or in a cluster by one thread for the changes of all members
     */
    void addListener(CacheListener listener);

    /**
     * Removes a listener.
     *
     * @param listener one that was added
     */
    void removeListener(CacheListener listener);
}
