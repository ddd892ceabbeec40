package dev.millrace.api.cache;

/** Hears of changes of a cache, on the changing thread; must return quickly. */
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
