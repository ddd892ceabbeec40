package dev.millrace.cluster.cache;

import dev.millrace.api.cache.CacheListener;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cache as seen by one application: its entries as objects of the application's classes, and listeners for changes.
 *
 * <p>Threads: the cache thread applies changes and calls the listeners; all other methods are thread-safe.
 *
 * <p>Failure: a value that cannot be converted to an object is omitted, and an exception of a listener is ignored; both
 * are logged, and the former is counted.
 */
final class CacheObjectView implements Replica.Observer
{
    private static final Logger LOG = LoggerFactory.getLogger(CacheObjectView.class);

    private final String id;
    private final CacheCodec codec;
    private final List<CacheListener> listeners = new CopyOnWriteArrayList<>();
    private final Map<Object, Object> objects = new ConcurrentHashMap<>();
    private final LongAdder changes = new LongAdder();
    private final LongAdder unreadable = new LongAdder();

    /**
     * Creates an empty replica.
     *
     * @param id    of the cache, for messages
     */
    CacheObjectView(final String id, final CacheCodec codec)
    {
        this.id = id;
        this.codec = codec;
    }

    /** The value of a key in cached form; {@code null} if none. */
    Object get(final Object key)
    {
        return objects.get(key);
    }

    int size()
    {
        return objects.size();
    }

    /** Returns a snapshot. */
    Map<Object, Object> entries()
    {
        return Collections.unmodifiableMap(new LinkedHashMap<>(objects));
    }

    void addListener(final CacheListener listener)
    {
        listeners.add(listener);
    }

    void removeListener(final CacheListener listener)
    {
        listeners.remove(listener);
    }

    /** Number of changes of all members applied here. */
    long changes()
    {
        return changes.sum();
    }

    long unreadable()
    {
        return unreadable.sum();
    }

    @Override
    public void changed(final Key key, final byte[] before, final byte[] after)
    {
        changes.increment();
        final Object known = codec.decodeKey(key);
        final Object value = after == null ? null : read(known, after);
        final Object old = value == null ? objects.remove(known) : objects.put(known, value);
        if (old != null || value != null)
        {
            listeners.forEach(listener -> tell(listener, known, old, value));
        }
    }

    private Object read(final Object key, final byte[] value)
    {
        try
        {
            return codec.decode(value);
        }
        // Values are application objects: constructors and setters can throw anything.
        catch (final RuntimeException | Error e)
        {
            passOn(e);
            unreadable.increment();
            LOG.warn("CLU-0307 a value of a cache cannot be created, cache={} key={}: it is omitted", id, key, e);
            return null;
        }
    }

    private void tell(final CacheListener listener, final Object key, final Object old, final Object value)
    {
        try
        {
            listener.onChange(key, old, value);
        }
        // Listeners can throw anything too. The other listeners must receive the change, and the replica must apply
        // later ones.
        catch (final RuntimeException | Error e)
        {
            passOn(e);
            LOG.warn("cache listener failed, cache={} key={} listener={}", id, key, listener, e);
        }
    }

    /** Rethrows errors of the JVM, such as out of memory; a stack overflow ends the current call only. */
    private static void passOn(final Throwable thrown)
    {
        if (thrown instanceof VirtualMachineError && !(thrown instanceof StackOverflowError))
        {
            throw (VirtualMachineError)thrown;
        }
    }
}
