package dev.millrace.cql.processor.worker;

import dev.millrace.api.event.EventBatch;

/** Routes one source thread's rows to the pipeline instances of one group. Confined to that thread. */
public interface RowRouter
{
    /**
     * Accepts rows or a heartbeat; blocks while a ring is full.
     *
     * @param batch borrowed for the call
     */
    void send(EventBatch batch);

    /**
     * The number of rows and heartbeats accepted so far.
     *
     * @return counts, for {@link #isDone}
     */
    long[] taken();

    /**
     * Whether the pipelines have processed everything up to the given counts.
     *
     * @param taken earlier result of {@link #taken()}
     * @return true if it has been emitted
     */
    boolean isDone(long[] taken);

    /** Releases the resources of the route; called when nothing is in progress and nothing more will be sent. */
    default void close()
    {
        // Most routes have no resources.
    }
}
