package dev.millrace.cql.processor;

import dev.millrace.api.event.EventBatch;

/** The way of one source thread's rows to the pipeline instances of one group. Called by that thread alone. */
interface RowRoute
{
    /**
     * Takes rows or a heartbeat over, waiting while a ring is full.
     *
     * @param batch lent
     */
    void send(EventBatch batch);

    /**
     * Rows and heartbeats taken so far.
     *
     * @return a figure for {@link #isDone}
     */
    long[] taken();

    /**
     * Whether the pipelines have finished with everything up to some figures.
     *
     * @param taken what {@link #taken()} gave before
     * @return true when it is out
     */
    boolean isDone(long[] taken);

    /** Gives back what the route holds; called when nothing is on its way and nothing will be sent any more. */
    default void close()
    {
        // Most routes hold nothing.
    }
}
