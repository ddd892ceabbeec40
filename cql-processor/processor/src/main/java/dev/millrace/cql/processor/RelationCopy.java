package dev.millrace.cql.processor;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.LookupRelation;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The coded copy of a cache that one pipeline instance joins with.
 *
 * <p>Threads: {@link #offer} and {@link #isBehind} belong to the feed, everything else to the instance's thread. The
 * feed never waits: when the queue is full the copy is marked for a reload, further changes are left out, and the
 * instance takes the whole cache anew. So a copy always ends up equal to its cache, whatever the rates.
 */
final class RelationCopy
{
    private final RelationFeed feed;
    private final LookupRelation relation;
    private final ChangeQueue queue;
    private final MemoryAccount memory;
    private final Counter changes = new Counter();
    private final Counter reloads = new Counter();
    private volatile boolean behind;

    /**
     * Makes an empty copy.
     *
     * @param feed     brings changes
     * @param relation charged to {@code memory}
     * @param memory   the copy's own
     */
    RelationCopy(final RelationFeed feed, final LookupRelation relation, final MemoryAccount memory)
    {
        this.memory = memory;
        this.feed = feed;
        this.relation = relation;
        queue = new ChangeQueue(feed.schema());
    }

    /**
     * Hands a change over; under the feed's lock.
     *
     * @param rows holds it
     * @param row  its row
     * @param kind {@link EventBatch#UPDATE} or {@link EventBatch#DELETE}
     */
    void offer(final EventBatch rows, final int row, final byte kind)
    {
        if (!behind && !queue.offer(rows, row, kind))
        {
            behind = true;
        }
    }

    /** Starts or ends the leaving out of changes; under the feed's lock. */
    void isBehind(final boolean value)
    {
        behind = value;
    }

    /**
     * Whether {@link #applyChanges()} has something to do.
     *
     * @return true when changes wait
     */
    boolean hasChanges()
    {
        return behind || !queue.isEmpty();
    }

    /** Takes in the changes that wait: a look at two fields when there are none. */
    void applyChanges()
    {
        if (behind)
        {
            discardChanges();
            feed.reload(this);
            reloads.add(1);
        }
        while (!queue.isEmpty())
        {
            applyOldest();
            changes.add(1);
        }
    }

    /** A change that fails is given back too, or it would fail for ever. */
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
        }
        else if (relation.hasRoom(rows, row))
        {
            relation.upsert(rows, row);
        }
        else
        {
            feed.rejectForMemory(rows.value(relation.keyColumn(), row), memory);
        }
    }

    /** Gives the copy back to its feed; true when it was the last. */
    boolean leave()
    {
        memory.close();
        return feed.remove(this);
    }

    MemoryAccount memory()
    {
        return memory;
    }

    LookupRelation relation()
    {
        return relation;
    }

    /**
     * The figures now.
     *
     * @return {@code id}, {@code size}, {@code changes} taken in one by one, {@code reloads}
     */
    Map<String, Object> statistics()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("id", feed.id());
        figures.put("size", relation.size());
        figures.put("changes", changes.get());
        figures.put("reloads", reloads.get());
        return figures;
    }
}
