package dev.millrace.cql.processor;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheListener;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.cql.runtime.flow.PullFeed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Feeds the copy of a cache that one operator of a flow looks rows up in.
 *
 * <p>Threads: changes come on any thread, one at a time under this object's lock, and wait; the engine takes them
 * before its next batch. Nobody waits for the other: when too many changes wait, the engine takes the whole cache anew.
 * Failure: the copy has no row of a key whose value cannot be read, so that the row which asks for it is rejected.
 */
final class CacheFeed implements PullFeed, CacheListener
{
    private static final int MOST_WAITING = 1 << 12;

    /** A change that waits; without value when the key is gone. */
    private record Change(Object key, Object value)
    {
    }

    private final CachePull pull;
    private final Cache cache;
    private final Class<?> keyClass;
    private volatile boolean hasChanges = true;
    private boolean isBehind = true;
    private List<Change> waiting = new ArrayList<>();
    private final Set<Object> unreadable = new HashSet<>();

    /** Listens to a cache from now on. */
    CacheFeed(final CachePull pull, final Cache cache, final CqlType keyType)
    {
        this.pull = pull;
        this.cache = cache;
        keyClass = keyType == CqlType.CHAR ? String.class : keyType == CqlType.INT ? Integer.class : Long.class;
        cache.addListener(this);
    }

    @Override
    public synchronized void onChange(final Object key, final Object oldValue, final Object newValue)
    {
        if (waiting.size() == MOST_WAITING)
        {
            isBehind = true;
            waiting.clear();
        }
        if (!isBehind)
        {
            waiting.add(new Change(key, newValue));
        }
        hasChanges = true;
    }

    @Override
    public void changes(final Copy to)
    {
        if (!hasChanges)
        {
            return;
        }
        final List<Change> changes;
        final boolean isWhole;
        synchronized (this)
        {
            hasChanges = false;
            changes = waiting;
            waiting = new ArrayList<>();
            isWhole = isBehind;
            isBehind = false;
        }
        if (isWhole)
        {
            to.clear();
            unreadable.clear();
            for (final Map.Entry<Object, Object> entry : cache.entries().entrySet())
            {
                change(to, entry.getKey(), entry.getValue());
            }
        }
        changes.forEach(change -> change(to, change.key(), change.value()));
    }

    private void change(final Copy to, final Object key, final Object value)
    {
        if (!keyClass.isInstance(key))
        {
            // No row asks for it.
            return;
        }
        unreadable.remove(key);
        if (value == null)
        {
            to.remove(key);
            return;
        }
        try
        {
            to.put(key, pull.values(value));
        }
        // A value is the application's own class: its getters may throw anything.
        catch (final EventRejectedException | RuntimeException failure)
        {
            to.remove(key);
            unreadable.add(key);
        }
    }

    @Override
    public boolean isComplete()
    {
        return unreadable.isEmpty();
    }

    /** Listens no more. */
    void close()
    {
        cache.removeListener(this);
    }
}
