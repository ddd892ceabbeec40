package dev.millrace.embedded.application;

import dev.millrace.api.event.EventBatch;

/**
 * Receives the rows that pass a channel, or that reach the replacement of an adapter. Called by the thread that
 * processes the rows, which is the sender's or, for heartbeats, one of the network's; a stage has one caller at a time.
 */
@FunctionalInterface
public interface RowObserver
{
    /**
     * Receives rows.
     *
     * @param stage id of the channel or adapter
     * @param batch at least one row; owned by the caller, valid until this method returns
     */
    void onRows(String stage, EventBatch batch);
}
