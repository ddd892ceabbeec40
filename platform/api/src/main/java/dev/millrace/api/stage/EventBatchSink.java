package dev.millrace.api.stage;

import dev.millrace.api.event.EventBatch;

/**
 * A columnar sink: receives whole batches.
 *
 * <p>Threads: called by one thread at a time, the thread of the stage above, unless it is a {@link ConcurrentSink}.
 * Ownership: the batch is lent for the call. Failure: an exception rejects the whole batch, a
 * {@link BatchRejectedException} the events that it names; it is counted and logged, and the network continues.
 */
@FunctionalInterface
public interface EventBatchSink
{
    /**
     * Receives a batch or, when it has no rows, a heartbeat.
     *
     * @param batch owned by the caller; valid until this method returns
     * @throws EventRejectedException when the rows cannot be processed
     */
    void onBatch(EventBatch batch) throws EventRejectedException;
}
