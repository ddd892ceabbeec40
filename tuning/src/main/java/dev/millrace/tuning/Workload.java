package dev.millrace.tuning;

import java.util.List;

/**
 * Something that can be done by the engine and by a loop written for it, on the same input; {@link Measurement}
 * measures both. Registered by a line in {@link Workloads}, which also knows its name and variant.
 *
 * <p>Threads: one thread, the measuring one. Failure: what cannot be run is an {@link IllegalStateException}.
 */
interface Workload extends AutoCloseable
{
    /** Events of one pass over the data: 1,048,576 or more, all different. */
    int events();

    /** One pass by the engine. */
    void runEngine();

    /** One pass by the hand-written loop. */
    void runLimit();

    /** What the engine has put out so far. */
    Tally engineTally();

    /** What the loop has put out so far. */
    Tally limitTally();

    /** The generated text, for a look at it. */
    String javaText();

    /** Whether rows come out; a workload without any must say so, since otherwise none at all is a failed check. */
    default boolean putsOut()
    {
        return true;
    }

    /**
     * Threads beside the measuring one that work for the engine, the same ones all the time: what they use counts as
     * well. They have nothing to do when {@link #runEngine} returns.
     */
    default List<Thread> helpers()
    {
        return List.of();
    }

    /** Further loops that are measured in the same rounds. */
    default List<Loop> others()
    {
        return List.of();
    }

    /** Adds figures of its own behind the common ones, after the last round. */
    default void describe(final Result result)
    {
    }

    @Override
    default void close()
    {
    }
}
