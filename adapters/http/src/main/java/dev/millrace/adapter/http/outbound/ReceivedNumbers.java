package dev.millrace.adapter.http.outbound;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import com.google.gson.reflect.TypeToken;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The numbers of the rows that the receiver has confirmed, in a file that is replaced as a
 * whole. After a kill it contains one state or the next one; after a crash of the machine possibly an earlier one, so
 * that rows are sent again. Changed by the channel's thread; {@link #of} is thread-safe.
 */
final class ReceivedNumbers
{
    private static final Gson GSON = new Gson();

    private final Path file;
    private final Map<String, Long> numbers = new ConcurrentHashMap<>();

    ReceivedNumbers(final Path file)
    {
        this.file = file;
    }

    /** Reads the file, if it exists. */
    void open() throws IOException
    {
        Files.createDirectories(file.toAbsolutePath().getParent());
        if (!Files.exists(file))
        {
            return;
        }
        try
        {
            final Map<String, Long> read =
                GSON.fromJson(Files.readString(file), new TypeToken<Map<String, Long>>() { }.getType());
            if (read == null)
            {
                throw new IOException("it is empty");
            }
            numbers.putAll(read);
        }
        catch (final JsonParseException | NullPointerException e)
        {
            throw new IOException("it is not as it was written: " + e.getMessage(), e);
        }
    }

    /** The number up to which rows of a producer were confirmed. */
    long of(final String producer)
    {
        return numbers.getOrDefault(producer, 0L);
    }

    /** Whether a row was confirmed before. */
    boolean isReceived(final EventBatch batch, final int row)
    {
        final long sequence = batch.hasSequences() ? batch.sequences()[row] : RowSequence.NONE;
        return sequence != RowSequence.NONE &&
            RowSequence.number(sequence) <= of(Producers.name(RowSequence.producer(sequence)));
    }

    /** Stores that rows of a batch were confirmed; rows without numbers are ignored. */
    void confirm(final EventBatch batch, final int[] rows, final int from, final int to) throws IOException
    {
        if (!batch.hasSequences())
        {
            return;
        }
        for (int i = from; i < to; i++)
        {
            final long sequence = batch.sequences()[rows[i]];
            if (sequence != RowSequence.NONE)
            {
                numbers.merge(Producers.name(RowSequence.producer(sequence)), RowSequence.number(sequence), Math::max);
            }
        }
        final Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(next, GSON.toJson(new TreeMap<>(numbers)));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
