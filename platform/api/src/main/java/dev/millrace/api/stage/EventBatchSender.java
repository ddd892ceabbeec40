package dev.millrace.api.stage;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;

/**
 * The sender of a columnar source. A sender is confined to one thread: a source with several threads gets one for each
 * of them by {@link #another()}.
 */
public interface EventBatchSender
{
    /**
     * Returns the schema of the batches to send.
     *
     * @return schema; create batches with {@code new EventBatch(schema)}
     */
    BatchSchema schema();

    /**
     * Sends a batch, or a heartbeat when it has no rows. Returns when the rows have been consumed, so the caller may
     * refill the batch; blocks while a bounded queue below is full. Never throws for a failing stage below, which is
     * counted there.
     *
     * @param batch of {@link #schema()}; its times are set by this call when the channel has system time
     */
    void send(EventBatch batch);

    /**
     * Counts rows that the source had to reject, so that they are included in the stage's statistics.
     *
     * @param rows   how many
     * @param reason short and from a small set of values, for example {@code not-a-number}
     * @param detail information that helps a user to find the cause; logged at most once per period
     */
    void reject(int rows, String reason, String detail);

    /**
     * Returns the number up to which all stages below that store numbers have stored the rows of a producer. A source
     * that can repeat its rows continues after it when it starts or connects again. May be called by any thread, while
     * no row of the producer is sent.
     *
     * @param producer name, unique in the process and the same after a restart
     * @return 0 to begin with the first row; {@link SequencedSink#NOT_STORED} if no stage below stores numbers
     */
    default long receivedFrom(final String producer)
    {
        return SequencedSink.NOT_STORED;
    }

    /**
     * Creates a sender for another thread of the same source.
     *
     * @return a new sender
     */
    EventBatchSender another();
}
