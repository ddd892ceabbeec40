package dev.millrace.network.cache;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/** Keys ordered by how often they were used. Guarded by the lock of its cache. */
final class UseFrequency
{
    private final Map<Object, Use> byKey = new HashMap<>();
    private final TreeSet<Use> order =
        new TreeSet<>(Comparator.comparingLong(Use::count).thenComparingLong(Use::last));
    private long now;

    /** The use count of one key; the time of the last use makes entries distinct. */
    private record Use(Object key, long count, long last)
    {
    }

    void add(final Object key)
    {
        final Use before = byKey.get(key);
        if (before != null)
        {
            order.remove(before);
        }
        now++;
        final Use after = new Use(key, before == null ? 1 : before.count + 1, now);
        byKey.put(key, after);
        order.add(after);
    }

    void remove(final Object key)
    {
        final Use before = byKey.remove(key);
        if (before != null)
        {
            order.remove(before);
        }
    }

    /**
     * The key to evict next, never the most recently used one, which was just added; there must be at least two keys.
     */
    Object least()
    {
        final Use least = order.first();
        return least.last == now ? order.higher(least).key : least.key;
    }
}
