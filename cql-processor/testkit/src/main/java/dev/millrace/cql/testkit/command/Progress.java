package dev.millrace.cql.testkit.command;

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
    private static final int WIDTH = 60;

    private final PrintWriter err;
    private final boolean isWatched;
    private final boolean isScreenShared;
    private final LongSupplier clock;
    private long nextNs;
    private long calls;
    private boolean isShown;
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
        this.isScreenShared = isScreenShared;
        this.err = err;
        this.isWatched = isWatched;
        this.clock = clock;
        nextNs = clock.getAsLong() + SILENCE_NS;
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
        if (isWatched && calls++ % CALLS_A_LOOK == 0)
        {
            look(count, what);
        }
    }

    /** Like {@link #done}, but reads the clock at once. */
    void look(final long count, final String what)
    {
        if (isWatched && clock.getAsLong() - nextNs >= 0)
        {
            nextNs = clock.getAsLong() + STEP_NS;
            isShown = true;
            err.printf(Locale.ROOT, "\r%-" + WIDTH + "s", String.format(Locale.ROOT, "%,d %s", count, what) +
                (whole == 0 ? "" : ", " + 100 * part.getAsLong() / whole + " %"));
            err.flush();
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
        if (isShown)
        {
            err.print("\r" + " ".repeat(WIDTH) + "\r");
            err.flush();
            isShown = false;
        }
        if (isWatched)
        {
            nextNs = clock.getAsLong() + SILENCE_NS;
        }
    }
}
