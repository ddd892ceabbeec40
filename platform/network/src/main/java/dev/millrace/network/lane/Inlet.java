package dev.millrace.network.lane;

import dev.millrace.api.event.EventBatch;

/** Where a lane enters a stage. Used by one thread at a time. */
@FunctionalInterface
public interface Inlet
{
    /**
     * Takes a batch or, when it has no rows, a heartbeat. Never throws: what fails is counted where it failed.
     *
     * @param batch lent until this method returns
     */
    void accept(EventBatch batch);
}
