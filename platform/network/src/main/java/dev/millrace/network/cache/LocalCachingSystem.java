package dev.millrace.network.cache;

import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.cache.CachingSystem;

/**
 * Makes caches that live in the memory of this server: bounded, the least recently used entry leaves first. Safe for
 * all threads.
 */
public final class LocalCachingSystem implements CachingSystem
{
    @Override
    public LocalCache createCache(final CacheSettings settings)
    {
        return new LocalCache(settings);
    }
}
