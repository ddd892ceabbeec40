package dev.millrace.network.cache;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheListener;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.stage.BatchRelationSender;
import dev.millrace.api.stage.DisposableBean;
import dev.millrace.api.stage.RelationSender;
import dev.millrace.api.stage.RelationSource;
import dev.millrace.api.stage.RunnableBean;
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
 * A cache as the beginning of a network, and perhaps its end too: each value that is put becomes an event. Below a
 * relation the entries themselves are the relation: what is there at the start is inserted, then rows are inserted,
 * updated and deleted as entries are.
 *
 * <p>Threads: changes are noted by whoever makes them, and sent by a thread of this stage, so that what hangs below
 * neither delays the cache nor is called under its lock. Bound: {@value #MAX_WAITING} changes may wait; when more do,
 * they are given up for the state at the moment when they would be sent, which is counted: of several changes of one
 * key the last one is seen. Nothing is sent while the stage is suspended; the difference comes afterwards.
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
    /** What has been sent, by key; for the thread of the stage. */
    private final Map<Object, Object> sent = new HashMap<>();
    private boolean hasBegun;
    private BatchRelationSender sender;

    /**
     * Makes it.
     *
     * @param cache      whose changes are events
     * @param settings   how it was declared; has a value type
     * @param isRelation whether the channels below carry relations
     */
    public CacheStage(final Cache cache, final CacheSettings settings, final boolean isRelation)
    {
        super(cache, settings);
        this.cache = cache;
        this.isRelation = isRelation;
    }

    /** Of one key; a value of null for one that has gone. */
    private record Change(Object key, Object value)
    {
    }

    /** What becomes of a change below. */
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
                LOG.warn("EPN-0529 changes of a cache come faster than they can be sent, cache={} waiting={}: some " +
                    "values are passed over, the last one of each key is sent", cache.id(), MAX_WAITING);
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

    /** Changes to send, empty when all has to be looked at; null at the end. Waits for some. */
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

    /** Sends the difference between what was sent and what is there; changes that come meanwhile wait. */
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

    /** Changes that are not in the entries yet: those of a key behind the one that has given it its value. */
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

    /** Events of one kind that follow each other, sent together. */
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
     * Figures.
     *
     * @return {@code waiting} changes, and {@code passedOver}: those given up because too many waited
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
