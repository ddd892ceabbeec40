package dev.millrace.api.cache;

import java.util.Collection;
import java.util.Map;

/**
 * Fills a cache from an external source: completely when the application starts, and single keys when they are missing.
 */
public interface CacheLoader
{
    /**
     * Loads one value.
     *
     * @param key key that is not in the cache
     * @return value or {@code null}
     */
    Object load(Object key);

    /**
     * Loads several values.
     *
     * @param keys keys
     * @return found entries
     */
    Map<Object, Object> loadAll(Collection<?> keys);

    /**
     * Loads all entries; called once before the first event. A failure fails the deployment.
     *
     * @return all entries, may be empty
     * @throws Exception when the source is missing or malformed; its message reaches the deployer
     */
    Map<Object, Object> loadAll() throws Exception;

    /**
     * Whether {@link #loadAll()} returns everything that {@link #load} could find. If so, a join never loads a missing
     * key, and uses a copy of the cache, which is many times faster.
     *
     * @return false unless overridden: missing keys are loaded
     */
    default boolean loadsEverything()
    {
        return false;
    }
}
