package dev.millrace.adapter.kafka.outbound;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventRejectedException;

/** Writes the rows of batches to a topic. Thread-safe. */
interface RecordOutput extends AutoCloseable
{
    /**
     * Writes a batch with rows. Waits while the brokers do not respond.
     *
     * @throws EventRejectedException for rows that cannot be records, or if the sink ends while it waits
     */
    void write(EventBatch batch) throws EventRejectedException;

    /**
     * The number up to which the rows of a producer are stored, as in
     * {@link dev.millrace.api.stage.SequencedSink#receivedFrom}.
     */
    long receivedFrom(String producer);

    /** Writes what is left if the brokers respond, and ends all waits. */
    @Override
    void close();
}
