package dev.millrace.tuning;

import dev.millrace.api.event.EventBatch;
import java.io.IOException;

/**
 * Where the events of a burst go beside the window: a sink of its own below the channel of the events, and the bare
 * means that do the same without the product. One thread, but for the sink, which may have its own.
 */
interface BurstStore extends AutoCloseable
{
    /** The bean that is put into the network as a sink below the channel of {@link Rules#TICK} events. */
    Object sink();

    /**
     * Returns when everything that was handed to the sink is stored.
     *
     * @param rows how many rows that is since the start
     * @return {@link System#nanoTime()} when the last row was stored
     */
    long awaitStored(long rows) throws InterruptedException, IOException;

    /**
     * Stores a batch by bare means; returns when it is stored at the latest with {@link #finishBare()}.
     *
     * @param batch of {@link Rules#TICK} events
     */
    void storeBare(EventBatch batch) throws InterruptedException, IOException;

    /** Ends a burst stored by bare means: afterwards every row of it is stored. */
    void finishBare() throws InterruptedException, IOException;

    /**
     * Takes away what is stored, so that the next burst meets an empty store: the time of a burst would have much of
     * the collecting of garbage in it as tables in memory grow.
     *
     * @param rows what both ways must have stored since the last call
     * @throws IllegalStateException when there are more or fewer
     */
    void empty(long rows) throws IOException;

    @Override
    void close() throws IOException;
}
