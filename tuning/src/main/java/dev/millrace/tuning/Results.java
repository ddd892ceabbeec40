package dev.millrace.tuning;

import java.io.IOException;

/** Takes the results of a run, line by line, as they come. */
@FunctionalInterface
interface Results
{
    /**
     * Takes a finished line: shows it, and writes it to the file at once.
     *
     * @param result all of its figures set
     */
    void line(Result result) throws IOException;
}
