package dev.millrace.api.stage;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;

/**
 * What a columnar source sends through. One sender serves one thread: a source with several threads asks the network
 * for one each by {@link #another()}.
 */
public interface EventBatchSender
{
    /**
     * The shape of the batches to send.
     *
     * @return schema; make batches with {@code new EventBatch(schema)}
     */
    BatchSchema schema();

    /**
     * Sends a batch, or a heartbeat when it has no rows. Returns when the rows have been taken over, so the caller
     * may refill the batch; blocks while a bounded queue below is full. Never throws for a failing stage below: that
     * is counted there.
     *
     * @param batch of {@link #schema()}; the sender gives it times when the channel has system time
     */
    void send(EventBatch batch);

    /**
     * Counts rows that the source had to turn away, so that they show in the stage's statistics.
     *
     * @param rows   how many
     * @param reason short and of few different values, for example {@code not-a-number}
     * @param detail what a user needs to find the cause; logged at most once a period
     */
    void reject(int rows, String reason, String detail);

    /**
     * A sender for a further thread of the same source.
     *
     * @return a new sender
     */
    EventBatchSender another();
}
