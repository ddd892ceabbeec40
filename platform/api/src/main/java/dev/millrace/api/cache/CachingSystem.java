package dev.millrace.api.cache;

/** Creates and owns caches of one kind. */
public interface CachingSystem
{
    /**
     * Creates a cache.
     *
     * @param settings from the assembly and configuration files
     * @return an empty cache
     */
    Cache createCache(CacheSettings settings);
}
