package dev.millrace.cql.processor.worker;

import dev.millrace.api.event.EventBatch;

/** Stores what pipelines process, before they process it. Called by the thread that acts as their worker. */
public interface BatchLog
{
    /**
     * Appends a batch or heartbeat.
     *
     * @param batch     lent for the call
     * @param selection rows that are processed, ascending; {@code null} for all
     * @param count     number of rows
     * @return whether the batch may be processed; otherwise its rows have been rejected
     */
    boolean append(EventBatch batch, int[] selection, int count);
}
