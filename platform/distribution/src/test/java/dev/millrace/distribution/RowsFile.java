package dev.millrace.distribution;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A sink of the application of {@link SharedWorkIT}: writes rows to a file immediately, so that they survive a kill.
 */
public final class RowsFile implements EventBatchSink
{
    private OutputStream out;

    /**
     * Opens the file and keeps rows of earlier runs.
     *
     * @throws IOException when it cannot be opened
     */
    public void setPath(final String path) throws IOException
    {
        out = Files.newOutputStream(Path.of(path), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Override
    public void onBatch(final EventBatch batch)
    {
        final StringBuilder lines = new StringBuilder();
        for (int row = 0; row < batch.size(); row++)
        {
            for (int column = 0; column < batch.schema().columnCount(); column++)
            {
                lines.append(column == 0 ? "" : ",").append(batch.value(column, row));
            }
            lines.append('\n');
        }
        try
        {
            out.write(lines.toString().getBytes(StandardCharsets.US_ASCII));
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}
