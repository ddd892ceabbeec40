package dev.millrace.cql.testkit.command;

import dev.millrace.api.internal.StatusLine;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A progress line, rewritten every second when nothing else was printed for two seconds. Printed on a terminal only.
 */
final class Progress
{
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long STEP_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int CALLS_A_LOOK = 1024;

    private final StatusLine line;
    private final boolean isScreenShared;
    private long calls;
    private long whole;
    private LongSupplier part = () -> 0;

    /**
     * @param err            receives the line
     * @param isWatched      whether it is a terminal
     * @param isScreenShared whether rows are printed on the same terminal
     * @param clock          nanoseconds
     */
    Progress(final PrintWriter err, final boolean isWatched, final boolean isScreenShared, final LongSupplier clock)
    {
        line = new StatusLine(isWatched ? err : null, SILENCE_NS, STEP_NS, clock);
        this.isScreenShared = isScreenShared;
    }

    /**
     * The progress of a command, on a terminal only.
     *
     * @param in content of a source {@code -}
     */
    static Progress of(final InputStream in, final PrintWriter err)
    {
        final String screen = in == System.in ? System.getProperty("millrace.screen", "none") : "none";
        return new Progress(err, !screen.equals("none"), screen.equals("all"), System::nanoTime);
    }

    /** Shows a percentage from now on, unless the total is 0. */
    void whole(final long units, final LongSupplier done)
    {
        whole = units;
        part = done;
    }

    /** Counts one more. */
    void done(final long count, final String what)
    {
        if (calls++ % CALLS_A_LOOK == 0)
        {
            look(count, what);
        }
    }

    /** Like {@link #done}, but reads the clock at once. */
    void look(final long count, final String what)
    {
        if (line.isDue())
        {
            line.show(String.format(Locale.ROOT, "%,d %s", count, what) +
                (whole == 0 ? "" : ", " + 100 * part.getAsLong() / whole + " %"));
        }
    }

    /** Called before rows are printed. */
    void rows()
    {
        if (isScreenShared)
        {
            clear();
        }
    }

    /** Called before other output is printed on the same terminal. */
    void clear()
    {
        line.begin();
    }
}
