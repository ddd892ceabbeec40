package dev.millrace.api.cache;

/**
 * Hears of changes of a cache, on the changing thread, in a cluster on one of its own; must return quickly and must not
 * wait for a change of a cache.
 */
@FunctionalInterface
public interface CacheListener
{
    /**
     * Something changed.
     *
     * @param key      key
     * @param oldValue value before, {@code null} when there was none
     * @param newValue value after, {@code null} when it was removed
     */
    void onChange(Object key, Object oldValue, Object newValue);
}
