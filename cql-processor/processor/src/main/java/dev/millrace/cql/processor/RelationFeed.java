package dev.millrace.cql.processor;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheListener;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.text.Codes;
import dev.millrace.cql.plan.Operator.RelationSource;
import dev.millrace.cql.runtime.LookupRelation;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.edge.EventCodec;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Carries the content and the changes of one cache to the copies that pipeline instances join with.
 *
 * <p>Threads: changes come on any thread, one at a time under this object's lock, are coded there and queued for each
 * copy; nobody waits, not even when a queue is full ({@link RelationCopy}). So a sink that runs on a worker may
 * change the cache that the worker joins with. The lock is never on the path of events.
 *
 * <p>Failure: a value that does not fit the declared type fails the deployment when it is there at the start. Later
 * it is counted as rejected, and its key leaves the relation: no row rather than an outdated one.
 */
final class RelationFeed implements CacheListener
{
    private static final String REJECT_REASON = "unreadable-cache-value";
    private static final int MAX_PROBLEMS = 10;
    private static final int OLD = 0;
    private static final int NEW = 1;

    private final RelationSource source;
    private final Cache cache;
    private final EventCodec codec;
    private final String keyProperty;
    private final ProcessorWiring wiring;
    private final List<RelationCopy> copies = new ArrayList<>();
    private final EventBatch change;
    private Runnable afterChange = () ->
    {
    };
    private boolean open;

    RelationFeed(final RelationSource source, final Cache cache, final ProcessorWiring wiring)
    {
        this.source = source;
        this.cache = cache;
        this.wiring = wiring;
        codec = EventCodec.of(new BatchSchema(source.type()));
        keyProperty = source.type().properties().get(source.keyColumn()).name();
        change = new EventBatch(codec.schema());
    }

    String id()
    {
        return source.id();
    }

    BatchSchema schema()
    {
        return codec.schema();
    }

    /**
     * Makes a further copy: empty until {@link #open}, or filled before its first use when that was called already.
     *
     * @param strings table of the pipeline instance
     * @return copy for one pipeline instance
     */
    synchronized RelationCopy newCopy(final Codes strings)
    {
        final MemoryAccount memory = wiring.openMemory("", "copy of cache " + cache.id());
        final RelationCopy copy =
            new RelationCopy(this, new LookupRelation(codec.schema(), source.keyColumn(), strings, memory), memory);
        copy.isBehind(open);
        copies.add(copy);
        return copy;
    }

    /**
     * Gives a copy back.
     *
     * @param copy of this feed
     * @return whether no copy is left
     */
    synchronized boolean remove(final RelationCopy copy)
    {
        copies.remove(copy);
        return copies.isEmpty();
    }

    synchronized boolean isUnused()
    {
        return copies.isEmpty();
    }

    synchronized boolean isOpen()
    {
        return open;
    }

    /**
     * Starts to listen and fills the copies. A change that comes in between waits in the queues and is taken in
     * again, which ends in the same state.
     *
     * @param processor for messages
     * @param wake      called after each change
     * @throws DeploymentException when values do not fit the type or cannot be read; then it does not listen
     */
    void open(final ProcessorStage processor, final Runnable wake) throws DeploymentException
    {
        checkType(processor);
        afterChange = wake;
        boolean isOpen = false;
        try
        {
            cache.addListener(this);
            synchronized (this)
            {
                open = true;
            }
            final List<Problem> problems = fill(processor);
            if (!problems.isEmpty())
            {
                throw new DeploymentException(problems);
            }
            isOpen = true;
        }
        finally
        {
            if (!isOpen)
            {
                close();
            }
        }
    }

    private List<Problem> fill(final ProcessorStage processor) throws DeploymentException
    {
        final List<Problem> problems = new ArrayList<>();
        final EventBatch row = new EventBatch(codec.schema());
        for (final Map.Entry<Object, Object> entry : entries(processor).entrySet())
        {
            try
            {
                codec.write(entry.getValue(), row, NEW);
                copies.forEach(copy -> put(copy, row));
            }
            // A value is the application's own class: its getters may throw anything.
            catch (final EventRejectedException | RuntimeException unreadable)
            {
                problems.add(problem(processor, entry.getKey(), reason(unreadable)));
            }
            if (problems.size() == MAX_PROBLEMS)
            {
                break;
            }
        }
        return problems;
    }

    private Map<Object, Object> entries(final ProcessorStage processor) throws DeploymentException
    {
        try
        {
            return cache.entries();
        }
        catch (final RuntimeException failure)
        {
            throw new DeploymentException(List.of(new Problem(ProcessorErrors.CACHE_VALUE_UNREADABLE,
                processor.position(), "entries of a cache cannot be read, cache=" + cache.id() + " reason=" + failure,
                "correct the cache or its loader", "")), failure);
        }
    }

    private void checkType(final ProcessorStage processor) throws DeploymentException
    {
        final List<String> reasons = codec.writeProblems();
        if (!reasons.isEmpty())
        {
            throw new DeploymentException(reasons.stream()
                .map(reason -> new Problem(ProcessorErrors.CACHE_VALUE_UNREADABLE, processor.position(),
                    "values of a cache cannot be read, cache=" + cache.id() + " type=" + source.type().name() +
                    " reason=" + reason, "give the bean class a public getter for each property", ""))
                .toList());
        }
    }

    private Problem problem(final ProcessorStage processor, final Object key, final String reason)
    {
        return new Problem(ProcessorErrors.CACHE_VALUE_UNREADABLE, processor.position(),
            "value of a cache does not fit its type, cache=" + cache.id() + " key=" + key + " reason=" + reason,
            "correct the cache loader or the value-type of the cache", "");
    }

    /** Stops listening. */
    void close()
    {
        cache.removeListener(this);
        synchronized (this)
        {
            open = false;
        }
    }

    @Override
    public synchronized void onChange(final Object key, final Object oldValue, final Object newValue)
    {
        if (newValue != null && coded(newValue, NEW, key))
        {
            // The same object put again has been changed in place: what it was before is not known any more.
            if (oldValue != newValue && coded(oldValue, OLD, null) && !Objects.equals(keyOf(OLD), keyOf(NEW)))
            {
                offer(OLD, EventBatch.DELETE);
            }
            offer(NEW, EventBatch.UPDATE);
        }
        else if (coded(oldValue, OLD, null) || coded(Map.of(keyProperty, key), OLD, null))
        {
            offer(OLD, EventBatch.DELETE);
        }
        else
        {
            // Neither the old value nor the key tells which row has to go.
            copies.forEach(copy -> copy.isBehind(true));
        }
        afterChange.run();
    }

    private Object keyOf(final int row)
    {
        return change.value(source.keyColumn(), row);
    }

    private void offer(final int row, final byte kind)
    {
        for (final RelationCopy copy : copies)
        {
            copy.offer(change, row, kind);
        }
    }

    /** Codes a value; when that fails and a key is given, the value is counted as rejected. */
    private boolean coded(final Object value, final int row, final Object rejectedKey)
    {
        if (value == null)
        {
            return false;
        }
        try
        {
            codec.write(value, change, row);
            return true;
        }
        catch (final EventRejectedException | RuntimeException unreadable)
        {
            if (rejectedKey != null)
            {
                reject(rejectedKey, unreadable);
            }
            return false;
        }
    }

    /** The reason of a refusal is a sentence; that of a failure needs its kind. */
    private static String reason(final Exception unreadable)
    {
        return unreadable instanceof EventRejectedException ? unreadable.getMessage() : unreadable.toString();
    }

    private void reject(final Object key, final Exception unreadable)
    {
        wiring.reject(1, REJECT_REASON, ProcessorErrors.CACHE_VALUE_UNREADABLE + " cache=" + cache.id() + " key=" +
            key + " cause=" + reason(unreadable) + "; put values of the cache's value-type");
    }

    /**
     * Fills a copy anew from the cache; on the thread of the copy. When that fails the copy stays behind, so that it is
     * tried again before the next batch.
     *
     * @param copy that left out changes
     */
    void reload(final RelationCopy copy)
    {
        isBehind(copy, false);
        boolean isComplete = false;
        try
        {
            refill(copy);
            isComplete = true;
        }
        finally
        {
            if (!isComplete)
            {
                isBehind(copy, true);
            }
        }
    }

    /** Changes after {@code false} are queued again; those before are in the entries that are read next. */
    private synchronized void isBehind(final RelationCopy copy, final boolean value)
    {
        copy.isBehind(value);
    }

    private void put(final RelationCopy copy, final EventBatch row)
    {
        if (copy.relation().hasRoom(row, NEW))
        {
            copy.relation().upsert(row, NEW);
        }
        else
        {
            rejectForMemory(row.value(source.keyColumn(), NEW), copy.memory());
        }
    }

    /**
     * Counts a row that a copy has no room for; its key finds nothing until it is put again.
     *
     * @param key    of the row
     * @param memory of the copy
     */
    void rejectForMemory(final Object key, final MemoryAccount memory)
    {
        wiring.reject(1, MemoryAccount.MEMORY_FULL, "cache=" + cache.id() + " key=" + key + ", " + memory.shortage());
    }

    private void refill(final RelationCopy copy)
    {
        final EventBatch row = new EventBatch(codec.schema());
        final Map<Object, Object> entries = cache.entries();
        copy.relation().clear();
        for (final Map.Entry<Object, Object> entry : entries.entrySet())
        {
            try
            {
                codec.write(entry.getValue(), row, NEW);
                put(copy, row);
            }
            catch (final EventRejectedException | RuntimeException unreadable)
            {
                reject(entry.getKey(), unreadable);
            }
        }
    }
}
