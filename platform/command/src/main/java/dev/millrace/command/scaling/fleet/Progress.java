package dev.millrace.command.scaling.fleet;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Prints the progress of a study and the remaining time on one line. Not thread-safe. */
public final class Progress
{
    private static final int WIDTH = 24;

    private final Consumer<String> line;
    private final int totalSeconds;
    private double doneSeconds;

    /**
     * @param line         receives each state
     * @param totalSeconds expected duration of the measurement; 0: unknown, without a bar
     */
    public Progress(final Consumer<String> line, final int totalSeconds)
    {
        this.line = line;
        this.totalSeconds = totalSeconds;
    }

    /** Shows a phase before, between or after measurements. */
    public void phase(final String text)
    {
        if (totalSeconds == 0)
        {
            line.accept(text);
        }
        else
        {
            at(doneSeconds, text);
        }
    }

    /** Shows the number of measured seconds. */
    void at(final double seconds, final String text)
    {
        final double share = Math.min(1, seconds / totalSeconds);
        final int filled = (int)(share * WIDTH);
        final long left = Math.max(0, Math.round(totalSeconds - seconds));
        line.accept(String.format(Locale.ROOT, "[%s%s] %3.0f %%, %d:%02d left, %s", "#".repeat(filled),
            ".".repeat(WIDTH - filled), 100 * share, TimeUnit.SECONDS.toMinutes(left), left % 60, text));
    }

    /** Waits, and shows the progress. */
    public void sleep(final double seconds, final String text) throws InterruptedException
    {
        final long endNs = System.nanoTime() + (long)(seconds * TimeUnit.SECONDS.toNanos(1));
        final double from = doneSeconds;
        long leftNs = endNs - System.nanoTime();
        while (leftNs > 0)
        {
            at(from + seconds - leftNs / 1e9, text);
            TimeUnit.NANOSECONDS.sleep(Math.min(leftNs, TimeUnit.MILLISECONDS.toNanos(500)));
            leftNs = endNs - System.nanoTime();
        }
        doneSeconds = from + seconds;
    }

    /** Sets the progress to the number of completed rows. */
    public void rows(final int done, final int all)
    {
        doneSeconds = (double)totalSeconds * done / all;
    }
}
