package dev.millrace.cql.processor.worker;

import dev.millrace.api.event.EventBatch;

/** Stores what pipelines process, before they process it. Called by the thread that acts as their worker. */
public interface BatchLog
{
    /**
     * Appends a batch or heartbeat, without rows that were already appended and are sent again.
     *
     * @param batch     lent for the call
     * @param selection rows that are processed, ascending; {@code null} for all
     * @param count     number of rows
     * @return the batch, when these rows are to be processed; another batch, valid until the next call, when only its
     *     rows are; {@code null} when none is, because they were appended before or have been rejected
     */
    EventBatch append(EventBatch batch, int[] selection, int count);
}
