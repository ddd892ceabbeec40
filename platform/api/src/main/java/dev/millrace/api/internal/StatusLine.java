package dev.millrace.api.internal;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A line on the terminal with the progress of a command, overwritten by the next one. Prints nothing without a
 * terminal. Not thread-safe: the thread that prints the permanent output removes the line before.
 */
public final class StatusLine implements AutoCloseable
{
    /** Without a terminal. */
    public static final StatusLine NONE = new StatusLine(null, 0, 0, () -> 0);

    private static final int WIDTH = 78;

    private final PrintWriter screen;
    private final long silenceNs;
    private final long stepNs;
    private final LongSupplier clock;
    private String shown = "";
    private long startNs;
    private long nextNs;

    /**
     * @param screen    the terminal, {@code null} for none
     * @param silenceNs time after {@link #begin} without a line
     * @param stepNs    minimum time between two lines
     * @param clock     nanoseconds
     */
    public StatusLine(final PrintWriter screen, final long silenceNs, final long stepNs, final LongSupplier clock)
    {
        this.screen = screen;
        this.silenceNs = silenceNs;
        this.stepNs = stepNs;
        this.clock = clock;
        begin();
    }

    /** The line on the terminal of the process, if the start script found one; parameters as in the constructor. */
    public static StatusLine ofProcess(final long silenceNs, final long stepNs, final LongSupplier clock)
    {
        return "none".equals(System.getProperty("millrace.screen", "none")) ? NONE :
            new StatusLine(new PrintWriter(System.err), silenceNs, stepNs, clock);
    }

    /** Removes the line, and starts the time without a line again. */
    public void begin()
    {
        clear();
        startNs = clock.getAsLong();
        nextNs = startNs + silenceNs;
    }

    /** Whether {@link #show} would print; saves the creation of a text. */
    public boolean isDue()
    {
        return screen != null && clock.getAsLong() - nextNs >= 0;
    }

    /** Shows a text if it is time for one. */
    public void show(final String text)
    {
        if (isDue() && !text.equals(shown))
        {
            print(text);
            nextNs = clock.getAsLong() + stepNs;
        }
    }

    /** Shows a text, and the seconds since {@link #begin}. */
    public void showWithSeconds(final String text)
    {
        if (isDue())
        {
            show(text + ", " + TimeUnit.NANOSECONDS.toSeconds(clock.getAsLong() - startNs) + " s");
        }
    }

    /** Removes the line before other output is printed. */
    public void clear()
    {
        if (!shown.isEmpty())
        {
            print("");
            screen.print('\r');
            screen.flush();
        }
    }

    private void print(final String text)
    {
        screen.printf("\r%-" + WIDTH + "." + WIDTH + "s", text);
        screen.flush();
        shown = text;
    }

    @Override
    public void close()
    {
        clear();
    }
}
