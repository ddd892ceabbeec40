package dev.millrace.api.cache;

import dev.millrace.api.event.EventType;
import java.util.List;
import java.util.Objects;

/**
 * The declared settings of a cache.
 *
 * @param id            id in the assembly file
 * @param name          name in the caching system; caches of one name share their entries in a cluster
 * @param valueType     event type of the values, {@code null} when queries do not use the cache
 * @param keyProperties properties of the value type that form the key; empty when queries do not use the cache
 * @param limits        maximum number of entries, eviction and time to live
 * @param loader        fills the cache, or {@code null}
 */
public record CacheSettings(
    String id, String name, EventType valueType, List<String> keyProperties, Limits limits, CacheLoader loader)
{
    /** Checks the arguments. */
    public CacheSettings
    {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(limits, "limits");
        keyProperties = List.copyOf(keyProperties);
        if (limits.maxSize < 1)
        {
            throw new IllegalArgumentException(
                "max-size must be at least 1, cache=" + id + " max-size=" + limits.maxSize);
        }
    }

    /**
     * Creates settings of a cache whose name is its id, which evicts the least recently used entry, and whose entries
     * never expire.
     *
     * @param id            id in the assembly file
     * @param valueType     event type of the values, or {@code null}
     * @param keyProperties properties of the value type that form the key
     * @param maxSize       maximum number of entries, at least 1
     * @param loader        fills the cache, or {@code null}
     */
    public CacheSettings(final String id, final EventType valueType, final List<String> keyProperties,
        final int maxSize, final CacheLoader loader)
    {
        this(id, id, valueType, keyProperties, new Limits(maxSize, EvictionPolicy.LRU, 0), loader);
    }

    /**
     * Returns the maximum number of entries.
     *
     * @return at least 1
     */
    public int maxSize()
    {
        return limits.maxSize;
    }

    /**
     * Returns these settings with a different loader.
     *
     * @param other fills the cache, or {@code null}
     * @return a copy
     */
    public CacheSettings withLoader(final CacheLoader other)
    {
        return new CacheSettings(id, name, valueType, keyProperties, limits, other);
    }

    /**
     * Limits of a cache.
     *
     * @param maxSize      maximum number of entries, at least 1
     * @param eviction     selects the entry to evict when the cache is full
     * @param timeToLiveNs time after the last put at which an entry expires; 0 for never
     */
    public record Limits(int maxSize, EvictionPolicy eviction, long timeToLiveNs)
    {
        /** Checks the arguments. */
        public Limits
        {
            Objects.requireNonNull(eviction, "eviction");
            if (timeToLiveNs < 0)
            {
                throw new IllegalArgumentException("time to live is negative, nanoseconds=" + timeToLiveNs);
            }
        }
    }
}
