package dev.millrace.cql.testkit.command;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The first rows of files in memory: full batches of each source, ordered by the times of their last rows, as adapters
 * of a server would send them.
 *
 * <p>Not thread-safe.
 */
final class StoredRows
{
    private final List<Part> parts = new ArrayList<>();
    private final Map<StreamSpec, EventBatch> open = new HashMap<>();
    private final Map<StreamSpec, EventBatch> copies = new HashMap<>();
    private int count;
    private boolean isCut;

    /**
     * A batch.
     *
     * @param source of its rows
     * @param rows   at least one
     */
    private record Part(StreamSpec source, EventBatch rows)
    {
    }

    /**
     * Reads files.
     *
     * @param specs    sources
     * @param times    which columns contain times
     * @param in       content of a source {@code -}
     * @param most     maximum number of rows
     * @param problems receives errors of lines
     * @param progress receives the number of rows read
     * @throws IOException when a file cannot be read
     */
    void read(final List<StreamSpec> specs, final RowTimes times, final InputStream in, final int most,
        final Consumer<String> problems, final Progress progress) throws IOException
    {
        final List<CsvInput> inputs = new ArrayList<>();
        try
        {
            for (final StreamSpec spec : specs)
            {
                inputs.add(new CsvInput(spec, times, FileRun.reader(spec.isStandardInput() ? in :
                    Files.newInputStream(Path.of(spec.file()))), problems));
            }
            for (final CsvInput input : inputs)
            {
                input.advance();
            }
            for (CsvInput next = FileRun.earliest(inputs); next != null; next = FileRun.earliest(inputs))
            {
                if (count == most)
                {
                    isCut = true;
                    break;
                }
                add(next);
                progress.done(count, "rows read");
                next.advance();
            }
        }
        finally
        {
            for (final CsvInput input : inputs)
            {
                input.close();
            }
        }
        for (final StreamSpec spec : specs)
        {
            close(spec);
        }
        progress.clear();
    }

    private void add(final CsvInput input)
    {
        final EventBatch batch = open.computeIfAbsent(input.spec(), this::batch);
        FileRowWriter.add(input, batch);
        count++;
        if (batch.size() == EventBatch.CAPACITY)
        {
            close(input.spec());
        }
    }

    private EventBatch batch(final StreamSpec spec)
    {
        return new EventBatch(new BatchSchema(spec.type()));
    }

    private void close(final StreamSpec spec)
    {
        final EventBatch batch = open.remove(spec);
        if (batch != null && batch.size() > 0)
        {
            parts.add(new Part(spec, batch));
        }
    }

    /**
     * Passes copies of all batches: strings arrive as read from the file, without codes cached by earlier readers.
     *
     * @param consumer receives the name of the source and a batch, lent until it returns
     */
    void forEach(final BiConsumer<String, EventBatch> consumer)
    {
        for (final Part part : parts)
        {
            final EventBatch copy = copies.computeIfAbsent(part.source(), this::batch);
            copy.clear();
            copy.copyRows(part.rows(), 0, 0, part.rows().size());
            copy.size(part.rows().size());
            consumer.accept(part.source().name(), copy);
        }
    }

    int count()
    {
        return count;
    }

    /** Whether the files have more rows. */
    boolean isCut()
    {
        return isCut;
    }
}
