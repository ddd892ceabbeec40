package dev.millrace.network.lane;

import dev.millrace.api.event.EventBatch;

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
}
