package dev.millrace.tuning.burst;

import dev.millrace.api.event.EventBatch;
import dev.millrace.tuning.engine.BenchQueries;
import java.io.IOException;

/**
 * A store for the events of a burst, in addition to the window: a sink downstream of the channel of the events, and a
 * direct path that does the same without the product. Not thread-safe, except that the sink may have its own thread.
 */
public interface BurstStore extends AutoCloseable
{
    /**
     * The bean that is added to the network as a sink downstream of the channel of {@link BenchQueries#TICK} events.
     */
    Object sink();

    /**
     * Returns when everything that was passed to the sink is stored.
     *
     * @param rows number of rows since the start
     * @return {@link System#nanoTime()} when the last row was stored
     */
    long awaitStored(long rows) throws InterruptedException, IOException;

    /**
     * Stores a batch directly; it is stored when {@link #finishBare()} returns, at the latest.
     *
     * @param batch of {@link BenchQueries#TICK} events
     */
    void storeBare(EventBatch batch) throws InterruptedException, IOException;

    /** Ends a burst stored directly: afterwards every row of it is stored. */
    void finishBare() throws InterruptedException, IOException;

    /**
     * Deletes the stored rows, so that the next burst starts with an empty store: with growing tables in memory,
     * garbage collection would take a large part of the time of a burst.
     *
     * @param rows number that both paths must have stored since the last call
     * @throws IllegalStateException when there are more or fewer
     */
    void empty(long rows) throws IOException;

    @Override
    void close() throws IOException;
}
