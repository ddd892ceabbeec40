package dev.millrace.tuning.harness;

import java.io.IOException;

/**
 * A measurement with its own procedure, since it has threads, a pace or a store: latency, bursts, workers, replay of a
 * recording. Registered by a line in {@code Workloads}.
 *
 * <p>Called on the command's thread; it ends the threads that it starts. Interrupt: the command was asked to stop; the
 * experiment releases its resources and throws {@link InterruptedException}. Failure: a failed check is an
 * {@link IllegalStateException} that states the difference.
 */
@FunctionalInterface
public interface Experiment
{
    /**
     * Measures and produces lines of results, usually one.
     *
     * @param variant as registered
     * @param setting rounds, seconds, short form, data, and progress output
     * @param results receives the lines, see {@link ChecksumSink#line}
     */
    public void run(String variant, BenchContext setting, ResultSink results) throws InterruptedException, IOException;
}
