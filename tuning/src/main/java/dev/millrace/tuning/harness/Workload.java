package dev.millrace.tuning.harness;

import java.util.List;

/**
 * Work that the engine and a hand-written loop do on the same input; {@link Measurement} measures both. Registered by a
 * line in {@code Workloads}, which also contains its name and variant.
 *
 * <p>Confined to the measuring thread. Failure: a workload that cannot run throws an {@link IllegalStateException}.
 */
public interface Workload extends AutoCloseable
{
    /** Events of one pass over the data: 1,048,576 or more, all different. */
    public int events();

    /** Runs one pass by the engine. */
    public void runEngine();

    /** Runs one pass by the hand-written loop. */
    public void runLimit();

    /** Checksum of the engine's output so far. */
    public ResultChecksum engineTally();

    /** Checksum of the loop's output so far. */
    public ResultChecksum limitTally();

    /** The generated source text, for inspection. */
    public String javaText();

    /**
     * Whether rows are emitted; a workload without output must declare it, since otherwise the absence of rows is a
     * failed check.
     */
    public default boolean putsOut()
    {
        return true;
    }

    /**
     * Threads in addition to the measuring one that work for the engine, always the same ones: their CPU time counts as
     * well. They are idle when {@link #runEngine} returns.
     */
    public default List<Thread> helpers()
    {
        return List.of();
    }

    /** Additional loops that are measured in the same rounds. */
    public default List<ComparedLoop> others()
    {
        return List.of();
    }

    /** Adds its own figures after the common ones, after the last round. */
    public default void describe(final BenchResult result)
    {
    }

    @Override
    public default void close()
    {
    }
}
