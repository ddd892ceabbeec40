package dev.millrace.tuning.harness;

import java.io.PrintStream;

/**
 * Shows the progress of a run in one line that the next one overwrites; only on a terminal, and from the second second
 * of a step on. Not thread-safe.
 */
public final class Progress
{
    private static final long QUIET_NS = 2_000_000_000L;
    private static final long PAUSE_NS = 200_000_000L;
    private static final int WIDTH = 78;

    /** Without a terminal. */
    public static final Progress NONE = new Progress(null);

    private final PrintStream screen;
    private long startNs;
    private long shownNs;
    private boolean isShown;

    Progress(final PrintStream screen)
    {
        this.screen = screen;
        startNs = System.nanoTime();
    }

    /** The terminal of the command if it has one, otherwise {@link #NONE}. */
    public static Progress ofProcess()
    {
        return "none".equals(System.getProperty("millrace.screen", "none")) ? NONE : new Progress(System.err);
    }

    /** Starts a workload. */
    public void begin()
    {
        clear();
        startNs = System.nanoTime();
    }

    /**
     * Shows the current activity.
     *
     * @param what in a few words
     */
    public void say(final String what)
    {
        final long now = System.nanoTime();
        if (screen == null || now - startNs < QUIET_NS || isShown && now - shownNs < PAUSE_NS)
        {
            return;
        }
        final String line = what + ", " + (now - startNs) / 1_000_000_000L + " s";
        screen.print('\r' + pad(line));
        screen.flush();
        shownNs = now;
        isShown = true;
    }

    /** Removes the line before other output is printed. */
    public void clear()
    {
        if (isShown)
        {
            screen.print('\r' + pad("") + '\r');
            screen.flush();
            isShown = false;
        }
    }

    private static String pad(final String line)
    {
        return line.length() >= WIDTH ? line.substring(0, WIDTH) : line + " ".repeat(WIDTH - line.length());
    }
}
