package dev.millrace.cql.processor.relation;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;

/** Collects the changes of a replica into batches for a log. Confined to the thread of the replica. */
final class ChangeRecorder
{
    private final ChangeLog log;
    private final EventBatch changes;

    /**
     * @param schema of the changes
     */
    ChangeRecorder(final ChangeLog log, final BatchSchema schema)
    {
        this.log = log;
        changes = new EventBatch(schema);
    }

    /**
     * Adds a change.
     *
     * @param rows batch that contains the row
     * @param row  its index
     * @param kind {@link EventBatch#UPDATE} or {@link EventBatch#DELETE}
     */
    void add(final EventBatch rows, final int row, final byte kind)
    {
        if (changes.size() == EventBatch.CAPACITY)
        {
            flush();
        }
        final int next = changes.size();
        changes.copyRow(rows, row, next);
        changes.useKinds()[next] = kind;
        changes.size(next + 1);
    }

    /** Appends that all rows are removed. */
    void clear()
    {
        changes.clear();
        log.clear();
    }

    /** Appends the collected changes. */
    void flush()
    {
        if (changes.size() > 0)
        {
            log.append(changes);
            changes.clear();
        }
    }

    /** Forgets the collected changes. */
    void discard()
    {
        changes.clear();
    }
}
