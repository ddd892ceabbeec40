package dev.millrace.network.lane;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.SequencedSink;

/** The entrance of a lane into a stage. Called by one thread at a time. */
@FunctionalInterface
public interface Inlet
{
    /**
     * Accepts a batch or, when it has no rows, a heartbeat. Never throws: failures are counted where they occur.
     *
     * @param batch owned by the caller; valid until this method returns
     */
    void accept(EventBatch batch);

    /**
     * The number up to which the stages below have stored the rows of a producer; thread-safe.
     *
     * @return {@link SequencedSink#NOT_STORED} if none stores numbers, or their order is not kept
     */
    default long receivedFrom(final String producer)
    {
        return SequencedSink.NOT_STORED;
    }
}
