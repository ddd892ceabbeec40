package dev.millrace.tuning.harness;

import java.io.IOException;

/** Receives the results of a run, line by line. */
@FunctionalInterface
public interface ResultSink
{
    /**
     * Receives a finished line: shows it, and writes it to the file at once.
     *
     * @param result all of its figures set
     */
    public void line(BenchResult result) throws IOException;
}
