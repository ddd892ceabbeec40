package dev.millrace.api.cache;

import java.util.Map;

/** A loader that also stores changes. */
public interface CacheStore extends CacheLoader
{
    /**
     * Stores a value.
     *
     * @param key   key
     * @param value value
     */
    void store(Object key, Object value);

    /**
     * Stores several values. Override it if the store can write several values in one operation.
     *
     * @param values by key
     */
    default void storeAll(final Map<?, ?> values)
    {
        values.forEach(this::store);
    }

    /**
     * Removes a value.
     *
     * @param key key
     */
    void remove(Object key);
}
