package dev.millrace.cql.testkit.command;

import java.io.PrintWriter;

/** Reports lines of files that are not rows: the first ones, then their number. Not thread-safe. */
final class InvalidLineReport
{
    private static final int MOST = 20;

    private final PrintWriter err;
    private final Progress progress;
    private long count;

    InvalidLineReport(final PrintWriter err, final Progress progress)
    {
        this.err = err;
        this.progress = progress;
    }

    /** Reports one more. */
    void add(final String text)
    {
        if (++count <= MOST)
        {
            progress.clear();
            // CMD-0305: a line of a source cannot be read and is left out: correct the line
            err.println("CMD-0305: " + text);
            err.flush();
        }
    }

    /** Called after all files are read. */
    void end()
    {
        if (count > MOST)
        {
            err.println("bad lines: " + count + ", the first " + MOST + " are shown");
        }
    }

    boolean isEmpty()
    {
        return count == 0;
    }
}
