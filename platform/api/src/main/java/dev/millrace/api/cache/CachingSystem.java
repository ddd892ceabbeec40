package dev.millrace.api.cache;

/** Owns caches of one kind. */
public interface CachingSystem
{
    /**
     * Makes a cache.
     *
     * @param settings what the assembly and configuration files say
     * @return an empty cache
     */
    Cache createCache(CacheSettings settings);
}
