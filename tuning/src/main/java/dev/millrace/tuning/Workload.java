package dev.millrace.tuning;

import java.util.List;

/**
 * Work that the engine and a hand-written loop do on the same input; {@link Measurement} measures both. Registered by a
 * line in {@link Workloads}, which also contains its name and variant.
 *
 * <p>Confined to the measuring thread. Failure: a workload that cannot run throws an {@link IllegalStateException}.
 */
interface Workload extends AutoCloseable
{
    /** Events of one pass over the data: 1,048,576 or more, all different. */
    int events();

    /** Runs one pass by the engine. */
    void runEngine();

    /** Runs one pass by the hand-written loop. */
    void runLimit();

    /** Checksum of the engine's output so far. */
    Tally engineTally();

    /** Checksum of the loop's output so far. */
    Tally limitTally();

    /** The generated source text, for inspection. */
    String javaText();

    /**
     * Whether rows are emitted; a workload without output must declare it, since otherwise the absence of rows is a
     * failed check.
     */
    default boolean putsOut()
    {
        return true;
    }

    /**
     * Threads in addition to the measuring one that work for the engine, always the same ones: their CPU time counts as
     * well. They are idle when {@link #runEngine} returns.
     */
    default List<Thread> helpers()
    {
        return List.of();
    }

    /** Additional loops that are measured in the same rounds. */
    default List<Loop> others()
    {
        return List.of();
    }

    /** Adds its own figures after the common ones, after the last round. */
    default void describe(final Result result)
    {
    }

    @Override
    default void close()
    {
    }
}
