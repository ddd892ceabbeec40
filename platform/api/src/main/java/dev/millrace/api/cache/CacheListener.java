package dev.millrace.api.cache;

/**
 * Notified of changes of a cache, on the changing thread, or in a cluster on a dedicated thread. Must return quickly
 * and must not wait for a change of a cache.
 */
@FunctionalInterface
public interface CacheListener
{
    /**
     * Called after a change.
     *
     * @param key      key
     * @param oldValue previous value, {@code null} when there was none
     * @param newValue new value, {@code null} when it was removed
     */
    void onChange(Object key, Object oldValue, Object newValue);
}
