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
 * What one application sees of a cache: its entries as objects of its own classes, and listeners that hear of each
 * change.
 *
 * <p>Threads: changes come on the thread of the caches, which calls the listeners; everything else is for all threads.
 *
 * <p>Failure: a value of which no object can be made is left out, and a listener that throws is passed over; both are
 * logged, the former is counted.
 */
final class ObjectCopy implements Replica.Observer
{
    private static final Logger LOG = LoggerFactory.getLogger(ObjectCopy.class);

    private final String id;
    private final CacheCodec codec;
    private final List<CacheListener> listeners = new CopyOnWriteArrayList<>();
    private final Map<Object, Object> objects = new ConcurrentHashMap<>();
    private final LongAdder changes = new LongAdder();
    private final LongAdder unreadable = new LongAdder();

    /**
     * Makes an empty one.
     *
     * @param id    of the cache, for messages
     * @param codec between objects and columns
     */
    ObjectCopy(final String id, final CacheCodec codec)
    {
        this.id = id;
        this.codec = codec;
    }

    /** The value of a key as the codec has it; {@code null} when there is none. */
    Object get(final Object key)
    {
        return objects.get(key);
    }

    int size()
    {
        return objects.size();
    }

    /** A snapshot. */
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

    /** Changes of all members that were made here. */
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
        // Values are objects of the application: constructors and setters may throw anything.
        catch (final RuntimeException | Error e)
        {
            passOn(e);
            unreadable.increment();
            LOG.warn("CLU-0307 a value of a cache cannot be made here, cache={} key={}: it is left out", id, key, e);
            return null;
        }
    }

    private void tell(final CacheListener listener, final Object key, final Object old, final Object value)
    {
        try
        {
            listener.onChange(key, old, value);
        }
        // So may listeners: the others are to hear of the change, and the copy is to follow the next ones.
        catch (final RuntimeException | Error e)
        {
            passOn(e);
            LOG.warn("cache listener failed, cache={} key={} listener={}", id, key, listener, e);
        }
    }

    /** Nobody goes on when the virtual machine has no memory; too deep a recursion ends one call only. */
    private static void passOn(final Throwable thrown)
    {
        if (thrown instanceof VirtualMachineError && !(thrown instanceof StackOverflowError))
        {
            throw (VirtualMachineError)thrown;
        }
    }
}
