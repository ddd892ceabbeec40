package dev.millrace.api.cache;

import dev.millrace.api.event.EventType;
import java.util.List;
import java.util.Objects;

/**
 * How a cache was declared.
 *
 * @param id            id in the assembly file
 * @param valueType     event type of the values, {@code null} when queries do not use the cache
 * @param keyProperties properties of the value type that make the key; empty when queries do not use the cache
 * @param maxSize       greatest number of entries, at least 1
 * @param loader        fills the cache, or {@code null}
 */
public record CacheSettings(
    String id, EventType valueType, List<String> keyProperties, int maxSize, CacheLoader loader)
{
    /** Checks the arguments. */
    public CacheSettings
    {
        Objects.requireNonNull(id, "id");
        keyProperties = List.copyOf(keyProperties);
        if (maxSize < 1)
        {
            throw new IllegalArgumentException("max-size must be at least 1, cache=" + id + " max-size=" + maxSize);
        }
    }
}
