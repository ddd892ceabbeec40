package dev.millrace.network.advertised;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;

/** Takes the rows of an advertised stage. */
interface RowTaker
{
    /** The stage, {@code application:stage}. */
    String name();

    /** The application that takes the rows. */
    String application();

    /**
     * The stage is advertised, or is not advertised any more. Called under the lock of the registry.
     *
     * @param type of its rows; {@code null} if it is not advertised
     */
    void bind(EventType type);

    /**
     * Takes the rows of a batch.
     *
     * @param batch lent for the call
     */
    void receive(EventBatch batch);
}
