package dev.millrace.network.channel.step;

import dev.millrace.api.event.EventBatch;

/** One operation of a channel on each batch. Called by one thread at a time. */
public interface BatchStep
{
    /**
     * Applies the operation to a batch.
     *
     * @param batch rows or a heartbeat
     * @return the batch to pass on: the argument itself, or a batch of this step with the remaining rows; {@code null}
     *     when no row remains
     */
    EventBatch apply(EventBatch batch);
}
