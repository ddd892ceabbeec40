package dev.millrace.command.recovery;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.loadgen.GeneratorException;
import dev.millrace.loadgen.GeneratorSettings;
import dev.millrace.loadgen.LoadGenerator;
import dev.millrace.loadgen.RunSummary;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The load generator on a thread of this process. It sends streams, so that it reconnects after a kill and sends again
 * what is not stored.
 */
final class StreamLoad implements AutoCloseable
{
    private static final String SECONDS = "86400";
    private static final int ROWS_PER_PACKET = 7;
    /** Each kill causes a message for each connection; keeps the level, which the log manager could forget. */
    private static final Logger LOST_CONNECTIONS = Logger.getLogger("dev.millrace.loadgen.SenderThread");

    private final LoadGenerator generator;
    private final CompletableFuture<RunSummary> running;
    private final double rowsPerSecond;
    private final long startNs = System.nanoTime();

    /**
     * @param directory of its files
     * @param port      of the adapter
     * @param rate      events per second of all connections
     * @param maxEvents number of events after which it ends; 0 for none
     */
    StreamLoad(final Path directory, final RecoveryWorkload workload, final int port, final int connections,
        final int rate, final long maxEvents)
    {
        LOST_CONNECTIONS.setLevel(Level.OFF);
        rowsPerSecond = (double)rate / connections;
        try
        {
            generator = new LoadGenerator(GeneratorSettings.of("recovery", directory, Map.ofEntries(
                Map.entry("test.csvDataFile", workload.data().toString()), Map.entry("test.packetType", "CSV"),
                Map.entry("test.stream", "recovery"),
                Map.entry("test.splitColumn", Integer.toString(workload.splitColumn())),
                Map.entry("test.port", Integer.toString(port)),
                Map.entry("test.senders", Integer.toString(connections)), Map.entry("test.secs", SECONDS),
                Map.entry("test.spinPercent", "0"), Map.entry("test.rate", Double.toString(rowsPerSecond)),
                Map.entry("test.maxEvents", Long.toString(maxEvents)),
                Map.entry("test.ticksPerPacket", Integer.toString(ROWS_PER_PACKET)))));
        }
        catch (final GeneratorException e)
        {
            throw failed(e);
        }
        running = new CompletableFuture<>();
        final Thread thread = new Thread(this::run, "recovery-load");
        thread.setDaemon(true);
        thread.start();
    }

    private void run()
    {
        try
        {
            running.complete(generator.run(progress ->
            {
            }));
        }
        catch (final GeneratorException | RuntimeException e)
        {
            running.completeExceptionally(e);
        }
    }

    private static CommandException failed(final Throwable reason)
    {
        return new CommandException(ExitCode.FAILED, "CMD-0211", "the load generator failed, reason=" +
            reason.getMessage(), "with --keep, the logs of the instance are kept");
    }

    /** Returns a number of rows that no connection has exceeded yet. */
    long mostRows()
    {
        return (long)((System.nanoTime() - startNs) / 1e9 * rowsPerSecond) + 2 * ROWS_PER_PACKET;
    }

    /** Ends the load; returns when everything is stored by the processors of the streams. */
    RunSummary end() throws InterruptedException
    {
        generator.stop();
        return await();
    }

    /** Waits until all events are sent and stored by the processors of the streams. */
    RunSummary await() throws InterruptedException
    {
        try
        {
            final RunSummary summary = running.get();
            if (!summary.drained())
            {
                throw failed(new IllegalStateException("the instance did not store all rows, sent=" + summary.sent()));
            }
            return summary;
        }
        catch (final ExecutionException e)
        {
            throw failed(e.getCause());
        }
    }

    /** Fails if the load has ended too early. */
    void check() throws InterruptedException
    {
        if (running.isDone())
        {
            end();
            throw failed(new IllegalStateException("it has ended"));
        }
    }

    @Override
    public void close()
    {
        generator.stop();
    }
}
