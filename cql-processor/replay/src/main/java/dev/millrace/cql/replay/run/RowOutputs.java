package dev.millrace.cql.replay.run;

import dev.millrace.api.event.EventBatch;
import dev.millrace.embedded.application.RowObserver;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.spi.ApplicationRunner.Connection;
import dev.millrace.network.spi.ApplicationRunner.Format;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All outputs of a run. Thread-safe. The creator closes it. */
final class RowOutputs implements RowObserver, Closeable
{
    private final PrintStream standard;
    private final BufferedOutputStream buffer;
    private final Map<String, RowOutput> outputs = new LinkedHashMap<>();
    private final Map<String, OutputStream> files = new LinkedHashMap<>();
    private IOException failure;
    private boolean isClosed;
    private long rows;

    RowOutputs(final PrintStream standard)
    {
        this.standard = standard;
        buffer = new BufferedOutputStream(standard);
    }

    /**
     * Opens the outputs, before the application starts.
     *
     * @param timeColumn name of a column for the time of rows; {@code null} for none
     */
    synchronized void open(final List<Connection> connections, final NetworkDefinition definition,
        final String timeColumn) throws IOException, DeploymentException
    {
        for (final Connection each : connections)
        {
            final List<ChannelStage> channels = channels(definition, each.stage());
            if (each.format() == Format.CSV && channels.stream().map(ChannelStage::eventType).distinct().count() > 1)
            {
                throw WrongName.of("the stage receives events of several types, stage=" + each.stage(),
                    "write them as JSON");
            }
            final boolean isShared =
                connections.stream().filter(other -> other.file().equals(each.file())).count() > 1;
            if (isShared && each.format() == Format.CSV)
            {
                throw WrongName.of("rows of several stages cannot share a CSV file, file=" + each.file(),
                    "write them as JSON, or each into its own file");
            }
            outputs.put(each.stage(), new RowOutput(stream(each), each.format(), isShared ? each.stage() : null,
                timeColumn, channels.stream().anyMatch(ChannelStage::relation) ? "kind" : null));
        }
    }

    private static List<ChannelStage> channels(final NetworkDefinition definition, final String stage)
    {
        return definition.stages().stream().filter(ChannelStage.class::isInstance).map(ChannelStage.class::cast)
            .filter(channel -> channel.id().equals(stage) || channel.listeners().contains(stage)).toList();
    }

    private OutputStream stream(final Connection connection) throws IOException
    {
        if (connection.isStandard())
        {
            return buffer;
        }
        final OutputStream open = files.get(connection.file());
        if (open != null)
        {
            return open;
        }
        final OutputStream file = new BufferedOutputStream(Files.newOutputStream(Path.of(connection.file())));
        files.put(connection.file(), file);
        return file;
    }

    @Override
    public synchronized void onRows(final String stage, final EventBatch batch)
    {
        final RowOutput output = outputs.get(stage);
        if (output == null || failure != null)
        {
            return;
        }
        try
        {
            output.write(batch);
            rows += batch.size();
        }
        catch (final IOException e)
        {
            failure = e;
        }
    }

    /** Number of rows so far. */
    synchronized long rows()
    {
        return rows;
    }

    /** Whether no more rows can be written: the reader of the standard output has ended, or a file is full. */
    synchronized boolean isClosed()
    {
        return isClosed || failure != null;
    }

    /** Passes rows on to the standard output. */
    synchronized void flush()
    {
        try
        {
            buffer.flush();
        }
        catch (final IOException e)
        {
            failure = e;
        }
        isClosed = standard.checkError();
    }

    /**
     * Fails if rows could not be written.
     *
     * @throws IOException of the first row
     */
    synchronized void check() throws IOException
    {
        if (failure != null)
        {
            throw failure;
        }
    }

    @Override
    public synchronized void close() throws IOException
    {
        flush();
        for (final OutputStream file : files.values())
        {
            file.close();
        }
    }
}
