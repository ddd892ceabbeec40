package dev.millrace.cql.processor.relation;

import dev.millrace.api.event.EventBatch;

/** Stores the changes of one replica, in order. Called by the thread of the replica. */
public interface ChangeLog
{
    /**
     * Appends changes.
     *
     * @param changes rows with kinds: {@link EventBatch#UPDATE} to put, {@link EventBatch#DELETE} to remove; at least
     *     one, lent for the call
     */
    void append(EventBatch changes);

    /** Appends that all rows are removed. */
    void clear();
}
