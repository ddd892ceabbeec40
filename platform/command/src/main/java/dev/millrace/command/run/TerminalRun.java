package dev.millrace.command.run;

import dev.millrace.api.internal.StatusLine;
import dev.millrace.network.spi.ApplicationRunner;
import dev.millrace.network.spi.ApplicationRunner.Connection;
import dev.millrace.network.spi.ApplicationRunner.Surroundings;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A run on a terminal: reports lines that are no rows, shows the progress of long runs, and ends at Ctrl-C. Confined to
 * the thread of the run; the process calls its shutdown hook.
 */
final class TerminalRun implements Surroundings, AutoCloseable
{
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long STEP_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int MOST_SHOWN = 20;
    private static final int CALLS_A_LOOK = 1024;
    private static final long STOP_SECONDS = 10;
    private static final int PERCENT = 100;

    private final StandardInput in = new StandardInput();
    private final PrintWriter err;
    private final StatusLine status = StatusLine.ofProcess(SILENCE_NS, STEP_NS, System::nanoTime);
    private final long wholeBytes;
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stop, "stop-run");
    private volatile boolean isStopped;
    private long invalidLines;

    TerminalRun(final PrintWriter err, final List<Connection> inputs)
    {
        this.err = err;
        wholeBytes = inputs.stream().mapToLong(TerminalRun::size).reduce(0,
            (sum, size) -> sum < 0 || size < 0 ? -1 : sum + size);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Size of a file; -1 if it is unknown, as for the standard input or a pipe. */
    private static long size(final Connection input)
    {
        final Path file = input.isStandard() ? null : Path.of(input.file());
        return file != null && Files.isRegularFile(file) ? file.toFile().length() : -1;
    }

    /** Called by Ctrl-C: ends the run, and keeps the process until its outputs are complete. */
    private void stop()
    {
        isStopped = true;
        in.end();
        try
        {
            end.await(STOP_SECONDS, TimeUnit.SECONDS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the reports of the run. */
    void end()
    {
        status.clear();
        if (invalidLines > MOST_SHOWN)
        {
            err.println(invalidLines + " lines are no rows, the first " + MOST_SHOWN + " are shown");
        }
        err.flush();
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException ending)
        {
            // Ctrl-C: the hook runs.
        }
    }

    /** Allows the process to end after Ctrl-C. */
    @Override
    public void close()
    {
        end.countDown();
    }

    @Override
    public InputStream in()
    {
        return in;
    }

    @Override
    public PrintStream out()
    {
        return System.out;
    }

    @Override
    public void invalid(final String file, final long line, final String text)
    {
        if (++invalidLines <= MOST_SHOWN)
        {
            status.clear();
            err.println((ApplicationRunner.STANDARD.equals(file) ? "stdin" : file) + ":" + line + ": " + text);
            err.flush();
        }
    }

    @Override
    public void progress(final long rows, final long bytes)
    {
        if (rows % CALLS_A_LOOK == 0 && status.isDue())
        {
            status.show(String.format(Locale.ROOT, "%,d rows read", rows) +
                (wholeBytes > 0 ? ", " + PERCENT * bytes / wholeBytes + " %" : ""));
        }
    }

    @Override
    public boolean isStopped()
    {
        return isStopped;
    }
}
