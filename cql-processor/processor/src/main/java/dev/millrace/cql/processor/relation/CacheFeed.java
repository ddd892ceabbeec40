package dev.millrace.cql.processor.relation;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheListener;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.cql.runtime.function.LookupFeed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Feeds the replica of a cache that one lookup operator of a flow uses.
 *
 * <p>Threads: changes arrive on any thread, one at a time under this object's lock, and are queued; the engine applies
 * them before its next batch. Neither side blocks: when the queue is full, the engine reloads the whole cache. Failure:
 * the replica has no row for a key whose value cannot be read, so that the row that looks it up is rejected.
 */
public final class CacheFeed implements LookupFeed, CacheListener
{
    private static final int MOST_WAITING = 1 << 12;

    /** A queued change; its value is {@code null} when the key was removed. */
    private record Change(Object key, Object value)
    {
    }

    private final CacheValueReader values;
    private final Cache cache;
    private final Class<?> keyClass;
    private volatile boolean hasChanges = true;
    private boolean isBehind = true;
    private List<Change> waiting = new ArrayList<>();
    private final Set<Object> unreadable = new HashSet<>();

    /** Starts to listen to a cache. */
    public CacheFeed(final CacheValueReader values, final Cache cache, final CqlType keyType)
    {
        this.values = values;
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
            // No row looks up a null key.
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
            to.put(key, values.columns(value));
        }
        // A value is an object of an application class: its getters may throw anything.
        catch (final EventRejectedException | RuntimeException failure)
        {
            to.remove(key);
            unreadable.add(key);
        }
    }

    /** Whether {@link #changes} has anything to deliver. */
    boolean hasChanges()
    {
        return hasChanges;
    }

    /** Delivers all rows again with the next changes. */
    synchronized void reload()
    {
        isBehind = true;
        waiting.clear();
        hasChanges = true;
    }

    /** Keys whose values could not be read. */
    Set<Object> unreadable()
    {
        return unreadable;
    }

    @Override
    public boolean isComplete()
    {
        return unreadable.isEmpty();
    }

    /** Stops listening. */
    public void close()
    {
        cache.removeListener(this);
    }
}
