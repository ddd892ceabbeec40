package dev.millrace.network.advertised;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;

/** Receives the rows of an advertised stage. */
interface Subscriber
{
    /** The stage, {@code application:stage}. */
    String name();

    /** Name of the application to which it belongs. */
    String application();

    /**
     * Called when it has subscribed, and when the stage is advertised, replaced or withdrawn; under the lock of the
     * registry, so it must not wait.
     *
     * @param type of the rows; {@code null} if the stage is not advertised
     */
    void bind(EventType type);

    /**
     * Receives the rows of a batch, on any thread of the other application; waits while the own network is slower.
     * Throws no exception: rows that cannot be accepted are counted as rejected.
     *
     * @param batch lent for the call
     */
    void receive(EventBatch batch);
}
