package dev.millrace.api.cache;

import java.util.Collection;
import java.util.Map;

/** Fills a cache from elsewhere: all of it when the application starts, single keys when they are missing. */
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
     * Loads everything; called once before the first event. A failure fails the deployment.
     *
     * @return all entries, may be empty
     * @throws Exception when the source is missing or malformed; its message reaches the deployer
     */
    Map<Object, Object> loadAll() throws Exception;

    /**
     * Whether {@link #loadAll()} gives all that {@link #load} could find. Then a join never asks for a key that is
     * missing, and runs on a copy of the cache, many times faster.
     *
     * @return false unless overridden: keys that are missing are asked for
     */
    default boolean loadsEverything()
    {
        return false;
    }
}
