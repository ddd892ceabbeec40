package dev.millrace.adapter.kafka.outbound;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventRejectedException;

/** Encodes rows as the values of records. Not thread-safe. */
interface ValueEncoder
{
    /**
     * Finds the columns in a batch, whose rows may then be encoded.
     *
     * @throws EventRejectedException if the batch lacks a column
     */
    void map(EventBatch batch) throws EventRejectedException;

    /**
     * Encodes a row of the batch that was mapped last.
     *
     * @return the value; {@code null} if the row cannot be encoded
     */
    byte[] encode(EventBatch batch, int row);

    /** Why the last row was not encoded. */
    String refusal();
}
