package dev.millrace.network.cache;

import dev.millrace.api.cache.CacheStore;
import dev.millrace.api.condition.StageConditions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store that is written to later, by a dedicated thread, so that a change of the cache need not wait for it. When
 * several changes of one key wait, only the last one is written; a load sees the waiting changes.
 *
 * <p>Thread-safe. Bound: {@link Settings#bufferSize} keys wait. A caller that finds no room in time writes
 * synchronously, in its turn; it is slowed down by a slow store and receives the exception of a failing one.
 *
 * <p>Failure: a change that cannot be written is kept, logged once per minute and tried again every second; a condition
 * is raised until it is written. {@link #close} tries once more and logs the changes that are lost.
 */
public final class WriteBehindStore implements CacheStore, AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(WriteBehindStore.class);
    // EPN-0528: the store of a cache cannot be written to: repair the store; the changes wait and are tried again
    private static final String FAILED = "EPN-0528";
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int SAID_EVERY = 60;
    private static final long CLOSE_MS = 10_000;

    private final String cache;
    private final CacheStore store;
    private final Settings settings;
    private final StageConditions conditions;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Held while writing, so that changes of a key are written in order. */
    private final ReentrantLock writing = new ReentrantLock(true);
    private final Thread thread;
    private final Map<Object, Write> waiting = new LinkedHashMap<>();
    /** Removed from the buffer and not written yet. */
    private Map<Object, Write> underway = Map.of();
    private volatile boolean isClosed;
    private int failures;

    /**
     * Limits of the buffer.
     *
     * @param batchSize  keys that are written with one call
     * @param bufferSize keys that may wait
     * @param attempts   how often a caller tries to find room
     * @param timeoutNs  how long each attempt waits
     */
    public record Settings(int batchSize, int bufferSize, int attempts, long timeoutNs)
    {
        /** The default settings. */
        public static final Settings DEFAULT = new Settings(100, 1000, 1, TimeUnit.MILLISECONDS.toNanos(100));
    }

    /** A pending value; null removes the key. */
    private record Write(Object value)
    {
    }

    /**
     * Creates a store and starts its thread.
     *
     * @param cache      id, for messages
     * @param store      is written to, and loads
     * @param settings   of the buffer
     * @param conditions are raised while the store cannot be written to
     * @param threads    creates the thread
     */
    public WriteBehindStore(final String cache, final CacheStore store, final Settings settings,
        final StageConditions conditions, final ThreadFactory threads)
    {
        this.conditions = conditions;
        this.cache = Objects.requireNonNull(cache, "cache");
        this.store = Objects.requireNonNull(store, "store");
        this.settings = settings;
        thread = threads.newThread(this::run);
        thread.setName("millrace-cache-store-" + cache);
        thread.start();
    }

    @Override
    public void store(final Object key, final Object value)
    {
        put(key, new Write(value));
    }

    @Override
    public void remove(final Object key)
    {
        put(key, new Write(null));
    }

    private void put(final Object key, final Write write)
    {
        if (!offer(key, write))
        {
            // No room: written now, after the batch that is being written.
            writing.lock();
            try
            {
                forget(key);
                write(Map.of(key, write));
            }
            finally
            {
                writing.unlock();
            }
        }
    }

    private void forget(final Object key)
    {
        lock.lock();
        try
        {
            waiting.remove(key);
        }
        finally
        {
            lock.unlock();
        }
    }

    private boolean offer(final Object key, final Write write)
    {
        lock.lock();
        try
        {
            for (int attempt = 0; attempt < settings.attempts; attempt++)
            {
                long leftNs = settings.timeoutNs;
                while (!isClosed && leftNs > 0 && waiting.size() >= settings.bufferSize && !waiting.containsKey(key))
                {
                    leftNs = changed.awaitNanos(leftNs);
                }
                if (!isClosed && (waiting.size() < settings.bufferSize || waiting.containsKey(key)))
                {
                    waiting.put(key, write);
                    changed.signalAll();
                    return true;
                }
            }
            return false;
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted, the change was not made, cache=" + cache, e);
        }
        finally
        {
            lock.unlock();
        }
    }

    private void run()
    {
        while (awaitsMore())
        {
            if (!writesNext())
            {
                pause();
            }
        }
    }

    /** False when all is written and no more changes can arrive. */
    private boolean awaitsMore()
    {
        lock.lock();
        try
        {
            while (waiting.isEmpty() && !isClosed)
            {
                changed.await();
            }
            return !waiting.isEmpty();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            return false;
        }
        finally
        {
            lock.unlock();
        }
    }

    private boolean writesNext()
    {
        writing.lock();
        try
        {
            final boolean isLast = isClosed;
            final Map<Object, Write> batch = take();
            try
            {
                write(batch);
                done(Map.of(), false);
                failures = 0;
                conditions.clear(FAILED);
                return true;
            }
            // A store is a class of the application and may throw anything.
            catch (final RuntimeException | LinkageError | AssertionError e)
            {
                if (failures % SAID_EVERY == 0)
                {
                    LOG.error("{} the store of a cache cannot be written to, cache={} keys={}: the changes wait and " +
                        "are tried again", FAILED, cache, batch.size(), e);
                }
                failures++;
                done(batch, isLast);
                conditions.raise(FAILED, "the store of the cache cannot be written to, keysWaiting=" + size() +
                    " reason=" + e + ": the changes wait and are tried again");
                return false;
            }
        }
        finally
        {
            writing.unlock();
        }
    }

    private int size()
    {
        lock.lock();
        try
        {
            return waiting.size();
        }
        finally
        {
            lock.unlock();
        }
    }

    private Map<Object, Write> take()
    {
        lock.lock();
        try
        {
            final Map<Object, Write> batch = new LinkedHashMap<>();
            for (final Map.Entry<Object, Write> entry : waiting.entrySet())
            {
                batch.put(entry.getKey(), entry.getValue());
                if (batch.size() == settings.batchSize)
                {
                    break;
                }
            }
            waiting.keySet().removeAll(batch.keySet());
            underway = batch;
            changed.signalAll();
            return batch;
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Ends a batch; failed changes are queued again after the others, unless they were superseded in the meantime. */
    private void done(final Map<Object, Write> failed, final boolean isLast)
    {
        lock.lock();
        try
        {
            failed.forEach(waiting::putIfAbsent);
            underway = Map.of();
            if (isLast)
            {
                LOG.error("EPN-0527 changes of a cache are lost because its store cannot be written to, cache={} "
                    + "keys={}",
                    cache, waiting.keySet());
                waiting.clear();
            }
        }
        finally
        {
            lock.unlock();
        }
    }

    private void pause()
    {
        lock.lock();
        try
        {
            long leftNs = RETRY_NS;
            while (leftNs > 0 && !isClosed)
            {
                leftNs = changed.awaitNanos(leftNs);
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        finally
        {
            lock.unlock();
        }
    }

    private void write(final Map<Object, Write> batch)
    {
        final Map<Object, Object> values = new LinkedHashMap<>();
        final List<Object> removed = new ArrayList<>();
        batch.forEach((key, write) ->
        {
            if (write.value == null)
            {
                removed.add(key);
            }
            else
            {
                values.put(key, write.value);
            }
        });
        if (!values.isEmpty())
        {
            store.storeAll(values);
        }
        removed.forEach(store::remove);
    }

    /** The pending or in-progress change of a key; null when the store has the current value. */
    private Write known(final Object key)
    {
        lock.lock();
        try
        {
            return waiting.getOrDefault(key, underway.get(key));
        }
        finally
        {
            lock.unlock();
        }
    }

    @Override
    public Object load(final Object key)
    {
        final Write write = known(key);
        return write == null ? store.load(key) : write.value;
    }

    @Override
    public Map<Object, Object> loadAll(final Collection<?> keys)
    {
        final Map<Object, Object> found = new HashMap<>();
        final List<Object> unknown = new ArrayList<>();
        for (final Object key : keys)
        {
            final Write write = known(key);
            if (write == null)
            {
                unknown.add(key);
            }
            else if (write.value != null)
            {
                found.put(key, write.value);
            }
        }
        if (!unknown.isEmpty())
        {
            found.putAll(store.loadAll(unknown));
        }
        return found;
    }

    @Override
    public Map<Object, Object> loadAll() throws Exception
    {
        return store.loadAll();
    }

    @Override
    public boolean loadsEverything()
    {
        return store.loadsEverything();
    }

    /** Writes the waiting changes, for at most ten seconds. */
    @Override
    public void close()
    {
        lock.lock();
        try
        {
            isClosed = true;
            changed.signalAll();
        }
        finally
        {
            lock.unlock();
        }
        try
        {
            thread.join(CLOSE_MS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive())
        {
            LOG.error("EPN-0527 changes of a cache may be lost because its store does not return, cache={}", cache);
        }
    }
}
