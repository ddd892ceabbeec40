package dev.millrace.tuning;

import java.io.IOException;

/** Receives the results of a run, line by line. */
@FunctionalInterface
interface Results
{
    /**
     * Receives a finished line: shows it, and writes it to the file at once.
     *
     * @param result all of its figures set
     */
    void line(Result result) throws IOException;
}
