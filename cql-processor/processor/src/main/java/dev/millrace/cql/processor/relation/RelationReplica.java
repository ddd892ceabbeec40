package dev.millrace.cql.processor.relation;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.LookupRelation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The encoded replica of a cache that one pipeline instance joins with.
 *
 * <p>Threads: {@link #offer} and {@link #isBehind} are called by the feed, everything else by the instance's thread.
 * The feed never blocks: when the queue is full, the replica is marked for a reload, further changes are dropped, and
 * the instance reloads the whole cache. Therefore a replica always becomes equal to its cache, whatever the rates.
 */
public final class RelationReplica implements RecordedReplica
{
    private final String id;
    private final LookupRelation relation;
    private final ChangeQueue queue;
    private final MemoryAccount memory;
    private final Consumer<Object> rejectForMemory;
    private final Consumer<RelationReplica> reload;
    private final Counter changes = new Counter();
    private final Counter reloads = new Counter();
    private volatile boolean behind;
    /** Stores changes; {@code null} unless the processor is durable. */
    private ChangeRecorder recorder;
    /** Whether the next reload only stores the content once more. */
    private volatile boolean isRepeating;

    /**
     * Creates an empty replica.
     *
     * @param id              id of the relation source
     * @param relation        storage, charged to {@code memory}
     * @param memory          account of this replica
     * @param rejectForMemory receives the key of a row that exceeds the memory
     * @param reload          loads the whole cache into the replica
     */
    RelationReplica(final String id, final LookupRelation relation, final MemoryAccount memory,
        final Consumer<Object> rejectForMemory, final Consumer<RelationReplica> reload)
    {
        this.id = id;
        this.relation = relation;
        this.memory = memory;
        this.rejectForMemory = rejectForMemory;
        this.reload = reload;
        queue = new ChangeQueue(relation.schema());
    }

    /**
     * Adds a change to the queue; called under the feed's lock.
     *
     * @param rows batch that contains the row
     * @param row  its index
     * @param kind {@link EventBatch#UPDATE} or {@link EventBatch#DELETE}
     */
    void offer(final EventBatch rows, final int row, final byte kind)
    {
        if (!behind && !queue.offer(rows, row, kind))
        {
            behind = true;
        }
    }

    /** Starts or stops dropping changes; called under the feed's lock. */
    void isBehind(final boolean value)
    {
        behind = value;
    }

    /** Whether changes are queued for {@link #applyChanges()}; recorded ones wait for {@link #takeChanges()}. */
    public boolean hasChanges()
    {
        return recorder == null && isOutdated();
    }

    private boolean isOutdated()
    {
        return behind || !queue.isEmpty();
    }

    @Override
    public String name()
    {
        return "cache " + id;
    }

    @Override
    public BatchSchema schema()
    {
        return relation.schema();
    }

    @Override
    public void recordTo(final ChangeLog log)
    {
        recorder = new ChangeRecorder(log, relation.schema());
        recordAgain();
    }

    @Override
    public void recordAgain()
    {
        isRepeating = true;
        behind = true;
    }

    @Override
    public void takeChanges()
    {
        if (!isOutdated())
        {
            return;
        }
        boolean isRecorded = false;
        try
        {
            applyChanges();
            recorder.flush();
            isRecorded = true;
        }
        finally
        {
            if (!isRecorded)
            {
                recorder.discard();
                recordAgain();
            }
        }
    }

    @Override
    public void replay(final EventBatch stored)
    {
        for (int row = 0; row < stored.size(); row++)
        {
            if (stored.kind(row) == EventBatch.DELETE)
            {
                relation.remove(stored, row);
            }
            else
            {
                relation.upsert(stored, row);
            }
        }
    }

    /** Whether the rows that a reload cannot read have been rejected before. */
    boolean isRepeating()
    {
        return isRepeating;
    }

    /** Applies the queued changes: reads only two fields if the queue is empty. */
    public void applyChanges()
    {
        if (behind)
        {
            discardChanges();
            reload.accept(this);
            reloads.add(isRepeating ? 0 : 1);
            isRepeating = false;
        }
        while (!queue.isEmpty())
        {
            applyOldest();
            changes.add(1);
        }
    }

    /** A failing change is also removed, otherwise it would fail forever. */
    private void applyOldest()
    {
        try
        {
            apply(queue.rows(), queue.row());
        }
        finally
        {
            queue.advance();
        }
    }

    private void discardChanges()
    {
        while (!queue.isEmpty())
        {
            queue.advance();
        }
    }

    private void apply(final EventBatch rows, final int row)
    {
        if (rows.kind(row) == EventBatch.DELETE)
        {
            relation.remove(rows, row);
            record(rows, row, EventBatch.DELETE);
        }
        else
        {
            put(rows, row);
        }
    }

    private void record(final EventBatch rows, final int row, final byte kind)
    {
        if (recorder != null)
        {
            recorder.add(rows, row, kind);
        }
    }

    @Override
    public void replayClear()
    {
        relation.clear();
    }

    /** Removes all rows, before the whole content is loaded again. */
    void clear()
    {
        relation.clear();
        if (recorder != null)
        {
            recorder.clear();
        }
    }

    /** Stores a row, or rejects it when memory is short. */
    void put(final EventBatch rows, final int row)
    {
        if (relation.hasRoom(rows, row))
        {
            relation.upsert(rows, row);
            record(rows, row, EventBatch.UPDATE);
        }
        else
        {
            rejectForMemory.accept(rows.value(relation.keyColumn(), row));
        }
    }

    /** Releases its memory, after its last use. */
    void close()
    {
        memory.close();
    }

    public LookupRelation relation()
    {
        return relation;
    }

    /**
     * The current statistics.
     *
     * @return {@code id}, {@code size}, {@code changes} applied individually, {@code reloads}
     */
    public Map<String, Object> statistics()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("id", id);
        figures.put("size", relation.size());
        figures.put("changes", changes.get());
        figures.put("reloads", reloads.get());
        return figures;
    }
}
