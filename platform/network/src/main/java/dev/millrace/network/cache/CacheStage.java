package dev.millrace.network.cache;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheListener;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.lifecycle.RunnableBean;
import dev.millrace.api.stage.BatchRelationSender;
import dev.millrace.api.stage.RelationSender;
import dev.millrace.api.stage.RelationSource;
import dev.millrace.api.stage.StatisticsSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cache at the beginning of a network, and optionally also at its end: each value that is put becomes an event. Below
 * it, a relation mirrors the entries: existing entries are inserted at the start, then rows are inserted, updated and
 * deleted as entries are.
 *
 * <p>Threads: changes are recorded by the threads that make them, and sent by a thread of this stage, so the stages
 * below neither delay the cache nor are called under its lock. Bound: at most {@value #MAX_WAITING} changes wait. When
 * there are more, they are replaced by the state at the moment of sending, which is counted: of several changes of one
 * key only the last one is sent. Nothing is sent while the stage is suspended; the difference is sent afterwards.
 */
public final class CacheStage extends CacheSink implements RelationSource, RunnableBean, DisposableBean,
    StatisticsSource, CacheListener
{
    private static final Logger LOG = LoggerFactory.getLogger(CacheStage.class);
    private static final int MAX_WAITING = 65_536;
    private static final int MAX_TOGETHER = 1024;

    private final Cache cache;
    private final boolean isRelation;
    private final Object lock = new Object();
    private Deque<Change> waiting = new ArrayDeque<>();
    private boolean isBehind;
    private boolean isSuspended;
    private long givenUp;
    /** Values that were sent, by key. Confined to the thread of the stage. */
    private final Map<Object, Object> sent = new HashMap<>();
    private boolean hasBegun;
    private BatchRelationSender sender;

    /**
     * Creates a stage.
     *
     * @param cache      whose changes are events
     * @param settings   declared settings; must have a value type
     * @param isRelation whether the channels below carry relations
     */
    public CacheStage(final Cache cache, final CacheSettings settings, final boolean isRelation)
    {
        super(cache, settings);
        this.cache = cache;
        this.isRelation = isRelation;
    }

    /** A change of one key; the value is null for a removal. */
    private record Change(Object key, Object value)
    {
    }

    /** The kind of event that a change becomes. */
    private enum Kind
    {
        INSERT, UPDATE, DELETE
    }

    @Override
    public void setEventSender(final RelationSender given)
    {
        sender = (BatchRelationSender)given;
        cache.addListener(this);
    }

    @Override
    public void onChange(final Object key, final Object oldValue, final Object newValue)
    {
        synchronized (lock)
        {
            if (isBehind)
            {
                givenUp++;
                return;
            }
            if (waiting.size() == MAX_WAITING)
            {
                isBehind = true;
                givenUp += waiting.size() + 1;
                waiting.clear();
                LOG.warn("EPN-0529 changes of a cache arrive faster than they can be sent, cache={} waiting={}: some " +
                    "values are skipped, the last one of each key is sent", cache.id(), MAX_WAITING);
            }
            else
            {
                waiting.add(new Change(key, newValue));
            }
            lock.notifyAll();
        }
    }

    @Override
    public void run()
    {
        begin();
        for (Deque<Change> changes = take(); changes != null; changes = take())
        {
            send(changes);
        }
    }

    private void begin()
    {
        synchronized (lock)
        {
            isSuspended = false;
        }
        if (hasBegun)
        {
            return;
        }
        hasBegun = true;
        if (isRelation)
        {
            catchUp();
        }
        else
        {
            sent.putAll(cache.entries());
        }
    }

    /** Waits for changes to send. Returns an empty queue when the whole cache must be compared, and null at the end. */
    private Deque<Change> take()
    {
        synchronized (lock)
        {
            while (waiting.isEmpty() && !isBehind && !isSuspended)
            {
                try
                {
                    lock.wait();
                }
                catch (final InterruptedException e)
                {
                    Thread.currentThread().interrupt();
                    return null;
                }
            }
            if (isSuspended)
            {
                return null;
            }
            final Deque<Change> taken = waiting;
            waiting = new ArrayDeque<>();
            return taken;
        }
    }

    private void send(final Deque<Change> changes)
    {
        if (changes.isEmpty())
        {
            catchUp();
            return;
        }
        final Group group = new Group();
        changes.forEach(change -> add(change.key, change.value, group));
        group.flush();
    }

    /** Sends the difference between the sent values and the current entries; changes made in the meantime wait. */
    private void catchUp()
    {
        synchronized (lock)
        {
            waiting.clear();
            isBehind = false;
        }
        final Map<Object, Object> now = cache.entries();
        synchronized (lock)
        {
            waiting = after(now, waiting);
        }
        final Group group = new Group();
        for (final Object key : List.copyOf(sent.keySet()))
        {
            if (!now.containsKey(key))
            {
                add(key, null, group);
            }
        }
        now.forEach((key, value) ->
        {
            if (sent.get(key) != value)
            {
                add(key, value, group);
            }
        });
        group.flush();
    }

    /** Changes that the entries do not contain yet: those of a key after the change that has set its value. */
    private static Deque<Change> after(final Map<Object, Object> entries, final Deque<Change> changes)
    {
        final Set<Object> reached = new HashSet<>();
        final Deque<Change> later = new ArrayDeque<>();
        changes.descendingIterator().forEachRemaining(change ->
        {
            if (!reached.contains(change.key) && change.value == entries.get(change.key))
            {
                reached.add(change.key);
            }
            if (!reached.contains(change.key))
            {
                later.addFirst(change);
            }
        });
        return later;
    }

    private void add(final Object key, final Object value, final Group group)
    {
        final Object before = value == null ? sent.remove(key) : sent.put(key, value);
        if (value != null)
        {
            group.add(before == null || !isRelation ? Kind.INSERT : Kind.UPDATE, value);
        }
        else if (before != null && isRelation)
        {
            group.add(Kind.DELETE, before);
        }
    }

    /** Consecutive events of one kind, sent together. */
    private final class Group
    {
        private final List<Object> events = new ArrayList<>();
        private Kind kind = Kind.INSERT;

        void add(final Kind next, final Object event)
        {
            if (next != kind || events.size() == MAX_TOGETHER)
            {
                flush();
            }
            kind = next;
            events.add(event);
        }

        void flush()
        {
            if (!events.isEmpty())
            {
                sender.sendEvents(kind == Kind.INSERT ? events : List.of(), kind == Kind.DELETE ? events : List.of(),
                    kind == Kind.UPDATE ? events : List.of());
                events.clear();
            }
        }
    }

    @Override
    public void suspend()
    {
        synchronized (lock)
        {
            isSuspended = true;
            lock.notifyAll();
        }
    }

    @Override
    public void destroy()
    {
        cache.removeListener(this);
    }

    /**
     * Returns the statistics.
     *
     * @return {@code waiting} changes, and {@code passedOver}: changes skipped because too many waited
     */
    @Override
    public Map<String, Object> statistics()
    {
        synchronized (lock)
        {
            return Map.of("waiting", waiting.size(), "passedOver", givenUp);
        }
    }
}
