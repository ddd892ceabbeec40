package dev.millrace.api.cache;

/** A loader that also takes changes. */
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
     * Removes a value.
     *
     * @param key key
     */
    void remove(Object key);
}
