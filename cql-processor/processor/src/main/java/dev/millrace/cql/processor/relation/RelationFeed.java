package dev.millrace.cql.processor.relation;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheListener;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.plan.Operator.RelationSource;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.runtime.LookupRelation;
import dev.millrace.network.conversion.EventCodec;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Delivers the content and the changes of one cache to the replicas that pipeline instances join with.
 *
 * <p>Threads: changes arrive on any thread, one at a time under this object's lock, are encoded there and queued for
 * each replica; no thread blocks, not even when a queue is full ({@link RelationReplica}). Therefore a sink that runs
 * on a worker may change the cache that the worker joins with. The lock is never acquired on the path of events.
 *
 * <p>Failure: a value that does not match the declared type at the start fails the deployment. Later it is counted as
 * rejected, and its key is removed from the relation: no row is better than an outdated one.
 */
final class RelationFeed implements CacheListener
{
    private static final int MAX_PROBLEMS = 10;
    private static final int OLD = 0;
    private static final int NEW = 1;

    private final RelationSource source;
    private final Cache cache;
    private final EventCodec codec;
    private final String keyProperty;
    private final ProcessorWiring wiring;
    private final List<RelationReplica> copies = new ArrayList<>();
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

    /**
     * Creates another replica: empty until {@link #open}, or filled before its first use if that has already been
     * called.
     *
     * @param strings string table of the pipeline instance
     * @return replica for one pipeline instance
     */
    synchronized RelationReplica newCopy(final StringTable strings)
    {
        final MemoryAccount memory = wiring.openMemory("", "copy of cache " + cache.id());
        final RelationReplica copy = new RelationReplica(
            source.id(), new LookupRelation(codec.schema(), source.keyColumn(), strings, memory), memory,
            key -> rejectForMemory(key, memory), this::reload);
        copy.isBehind(open);
        copies.add(copy);
        return copy;
    }

    /** Removes a replica if it belongs to this feed. */
    synchronized void remove(final RelationReplica copy)
    {
        copies.remove(copy);
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
     * Starts to listen and fills the replicas. A change during the fill is queued and applied again, which leads to the
     * same state.
     *
     * @param processor for messages
     * @param wake      called after each change
     * @throws DeploymentException if values do not match the type or cannot be read; then it does not listen
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
                copies.forEach(copy -> copy.put(row, NEW));
            }
            // A value is an object of an application class: its getters may throw anything.
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
            throw new DeploymentException(List.of(new Problem(ProcessorErrorCode.CACHE_VALUE_UNREADABLE,
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
                .map(reason -> new Problem(ProcessorErrorCode.CACHE_VALUE_UNREADABLE, processor.position(),
                    "values of a cache cannot be read, cache=" + cache.id() + " type=" + source.type().name() +
                    " reason=" + reason, "give the bean class a public getter for each property", ""))
                .toList());
        }
    }

    private Problem problem(final ProcessorStage processor, final Object key, final String reason)
    {
        return new Problem(ProcessorErrorCode.CACHE_VALUE_UNREADABLE, processor.position(),
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
        if (newValue != null && coded(newValue, change, NEW, key))
        {
            // The application has modified the object and put it again: its previous value is unknown.
            if (oldValue != newValue && coded(oldValue, change, OLD, null) && !Objects.equals(keyOf(OLD), keyOf(NEW)))
            {
                offer(OLD, EventBatch.DELETE);
            }
            offer(NEW, EventBatch.UPDATE);
        }
        else if (coded(oldValue, change, OLD, null) || coded(Map.of(keyProperty, key), change, OLD, null))
        {
            offer(OLD, EventBatch.DELETE);
        }
        else
        {
            // Neither the old value nor the key identifies the row to remove.
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
        for (final RelationReplica copy : copies)
        {
            copy.offer(change, row, kind);
        }
    }

    /** Encodes a value; on failure, if a key is given, the value is counted as rejected. */
    private boolean coded(final Object value, final EventBatch to, final int row, final Object rejectedKey)
    {
        if (value == null)
        {
            return false;
        }
        try
        {
            codec.write(value, to, row);
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

    /** The message of a rejection is a sentence; a failure also needs its class name. */
    private static String reason(final Exception unreadable)
    {
        return unreadable instanceof EventRejectedException ? unreadable.getMessage() : unreadable.toString();
    }

    private void reject(final Object key, final Exception unreadable)
    {
        wiring.reject(
            1, CacheValueReader.REJECT_REASON, CacheValueReader.unreadable(cache, key, reason(unreadable)));
    }

    /**
     * Reloads a replica from the cache; called on the thread of the replica. On failure the replica stays outdated, so
     * that the reload is repeated before the next batch.
     *
     * @param copy replica that dropped changes
     */
    private void reload(final RelationReplica copy)
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

    /** Changes after {@code false} are queued again; earlier ones are in the entries that are read next. */
    private synchronized void isBehind(final RelationReplica copy, final boolean value)
    {
        copy.isBehind(value);
    }

    /**
     * Counts a row that exceeds the memory of a replica; lookups of its key find nothing until it is put again.
     *
     * @param key    key of the row
     * @param memory account of the replica
     */
    private void rejectForMemory(final Object key, final MemoryAccount memory)
    {
        wiring.reject(1, MemoryAccount.MEMORY_FULL, "cache=" + cache.id() + " key=" + key + ", " + memory.shortage());
    }

    private void refill(final RelationReplica copy)
    {
        final EventBatch row = new EventBatch(codec.schema());
        final Map<Object, Object> entries = cache.entries();
        copy.clear();
        for (final Map.Entry<Object, Object> entry : entries.entrySet())
        {
            if (coded(entry.getValue(), row, NEW, copy.isRepeating() ? null : entry.getKey()))
            {
                copy.put(row, NEW);
            }
        }
    }
}
