package dev.millrace.network.channel;

import dev.millrace.api.event.EventBatch;

/** One thing a channel does with each batch. Used by one thread at a time. */
interface BatchStep
{
    /**
     * Treats a batch.
     *
     * @param batch rows or a heartbeat
     * @return what goes on: the batch itself, or a batch of this step that holds the rows that are left; {@code null}
     *     when none is left
     */
    EventBatch apply(EventBatch batch);
}
