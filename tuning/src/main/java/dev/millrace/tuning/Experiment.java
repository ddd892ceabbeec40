package dev.millrace.tuning;

import java.io.IOException;

/**
 * Something that is measured in a way of its own, because it has threads, a pace or a store: latency, bursts, workers,
 * replay of a recording. Registered by a line in {@link Workloads}.
 *
 * <p>Threads: called on the command's thread; it ends the threads that it starts. Interrupt: the command was told to
 * stop; give back what is held and throw {@link InterruptedException}. Failure: a check that fails is an
 * {@link IllegalStateException} that says what differs.
 */
@FunctionalInterface
interface Experiment
{
    /**
     * Measures and gives lines of results, usually one.
     *
     * @param variant what of it, as registered
     * @param setting rounds, seconds, short or not, the data, and where to say how far it is
     * @param results takes the lines, see {@link Results#line}
     */
    void run(String variant, Setting setting, Results results) throws InterruptedException, IOException;
}
