package dev.millrace.api.stage;

import dev.millrace.api.event.EventBatch;

/**
 * A columnar sink: takes whole batches.
 *
 * <p>Threads: called by one thread at a time, the one of the stage before, unless it is a {@link ConcurrentSink}.
 * Ownership: the batch is lent for the call. Failure: an exception rejects the whole batch, a {@link
 * BatchRejectedException} the events that it names; it is counted, logged and the network goes on.
 */
@FunctionalInterface
public interface EventBatchSink
{
    /**
     * Takes a batch or, when it has no rows, a heartbeat.
     *
     * @param batch lent until this method returns
     * @throws EventRejectedException when the rows cannot be taken
     */
    void onBatch(EventBatch batch) throws EventRejectedException;
}
