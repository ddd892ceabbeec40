package dev.millrace.cql.replay.run;

import dev.millrace.api.time.ManualClock;
import dev.millrace.embedded.application.EmbeddedApplication;
import dev.millrace.embedded.application.RowFeed;
import dev.millrace.network.spi.ApplicationRunner.Surroundings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Sends the rows of all inputs: in order of their times, which are the time of the application, or, with times of
 * arrival, one input after the other. Confined to one thread.
 */
final class InputMerge
{
    /** Windows of idle channels advance at this interval, as on a server. */
    private static final long HEARTBEAT_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final EmbeddedApplication application;
    private final List<FileInput> inputs;
    /** Feeds of application time without input, which never delay the others. */
    private final List<RowFeed> idle;
    private final Surroundings surroundings;
    private final RowOutputs outputs;
    private long nowNs;
    private long beatNs;
    private long rows;

    /** @param idle feeds of channels with application time that have no input */
    InputMerge(final EmbeddedApplication application, final List<FileInput> inputs, final List<RowFeed> idle,
        final Surroundings surroundings, final RowOutputs outputs)
    {
        this.application = application;
        this.inputs = inputs;
        this.idle = idle;
        this.surroundings = surroundings;
        this.outputs = outputs;
    }

    /** Rows sent so far. */
    long rows()
    {
        return rows;
    }

    /** Sends rows as they arrive, until all inputs are at their end. */
    void byArrival() throws IOException
    {
        application.start();
        for (final FileInput input : inputs)
        {
            while (isRunning() && input.advance())
            {
                send(input);
            }
        }
    }

    /**
     * Sends rows by their times.
     *
     * @param clock   of the application, at 0
     * @param advance by which time advances after the last row
     */
    void byTime(final ManualClock clock, final Duration advance) throws IOException
    {
        for (final FileInput input : inputs)
        {
            input.advance();
        }
        FileInput next = earliest();
        // The application starts at the time of the first row, so that windows do not step from the epoch to it.
        nowNs = next == null ? 0 : Math.max(0, next.timeNs());
        beatNs = nowNs;
        clock.advance(nowNs);
        application.start();
        while (next != null && isRunning())
        {
            row(next, clock);
            next.advance();
            next = earliest();
        }
        if (isRunning())
        {
            pass(nowNs);
            clock.advance(advance.toNanos());
            application.passTime();
            pass(nowNs + advance.toNanos());
        }
    }

    private boolean isRunning()
    {
        return !surroundings.isStopped() && !outputs.isClosed();
    }

    /** The input with the earliest current row; {@code null} at the end of all. */
    private FileInput earliest()
    {
        FileInput found = null;
        for (final FileInput input : inputs)
        {
            if (input.hasRow() && (found == null || input.timeNs() < found.timeNs()))
            {
                found = input;
            }
        }
        return found;
    }

    private void row(final FileInput input, final ManualClock clock)
    {
        if (input.timeNs() < nowNs && !input.time().isApplicationTime())
        {
            input.reject("the time of the row is before that of an earlier row, behindNs=" +
                (nowNs - input.timeNs()));
            return;
        }
        final long deltaNs = Math.max(0, input.timeNs() - nowNs);
        nowNs += deltaNs;
        clock.advance(deltaNs);
        if (nowNs - beatNs >= HEARTBEAT_NS)
        {
            application.passTime();
            beatNs = nowNs;
        }
        send(input);
        passOthers(input);
    }

    private void send(final FileInput input)
    {
        input.send();
        surroundings.progress(++rows, inputs.stream().mapToLong(FileInput::readBytes).sum());
    }

    /** No other input has rows before the current time. */
    private void passOthers(final FileInput sender)
    {
        for (final FileInput input : inputs)
        {
            if (input != sender && input.time().isApplicationTime())
            {
                input.feed().heartbeat(nowNs - 1);
            }
        }
        idle.forEach(feed -> feed.heartbeat(nowNs - 1));
    }

    /** No input has rows before a time. */
    private void pass(final long timeNs)
    {
        inputs.stream().filter(input -> input.time().isApplicationTime())
            .forEach(input -> input.feed().heartbeat(timeNs));
        idle.forEach(feed -> feed.heartbeat(timeNs));
    }
}
