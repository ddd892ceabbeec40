package dev.millrace.tuning;

import java.io.PrintStream;

/**
 * Says how far a run is, in one line that the next one overwrites; shown only when someone looks on, and from the
 * second second of a step on. For one thread.
 */
public final class Progress
{
    private static final long QUIET_NS = 2_000_000_000L;
    private static final long PAUSE_NS = 200_000_000L;
    private static final int WIDTH = 78;

    /** Where nobody looks on. */
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

    /** The screen when the command has one, else nothing. */
    public static Progress ofProcess()
    {
        return "none".equals(System.getProperty("millrace.screen", "none")) ? NONE : new Progress(System.err);
    }

    /** A workload begins. */
    public void begin()
    {
        clear();
        startNs = System.nanoTime();
    }

    /**
     * Says what is being done.
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

    /** Takes the line away, before something else is printed. */
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
