package dev.millrace.network.cache;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/** Keys by how often they were used. Under the lock of its cache. */
final class Uses
{
    private final Map<Object, Use> byKey = new HashMap<>();
    private final TreeSet<Use> order =
        new TreeSet<>(Comparator.comparingLong(Use::count).thenComparingLong(Use::last));
    private long now;

    /** Of one key; the last moment tells all apart. */
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

    /** The key that leaves next, never the one that was used last, which has just come; there are two or more. */
    Object least()
    {
        final Use least = order.first();
        return least.last == now ? order.higher(least).key : least.key;
    }
}
