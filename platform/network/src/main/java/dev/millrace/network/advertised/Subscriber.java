package dev.millrace.network.advertised;

import dev.millrace.api.event.EventBatch;

/** Receives the rows of an advertised stage. */
interface Subscriber extends Peer
{
    /**
     * Receives the rows of a batch, on any thread of the other application; waits while the own network is slower.
     * Throws no exception: rows that cannot be accepted are counted as rejected.
     *
     * @param batch lent for the call
     */
    void receive(EventBatch batch);
}
