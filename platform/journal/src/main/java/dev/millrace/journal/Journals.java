package dev.millrace.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;

/** Opens journals. Thread-safe. */
public final class Journals
{
    private Journals()
    {
    }

    /**
     * Opens a journal for appending; creates it if it does not exist.
     *
     * @param wallTimeMs wall-clock time, for names of files and for display
     * @throws JournalException if it is in use, belongs to another owner, is damaged at its end, or cannot be written
     */
    public static Journal open(final JournalSettings settings, final LongSupplier wallTimeMs)
    {
        return ChronicleJournal.open(settings, wallTimeMs);
    }

    /**
     * Opens the journal of a directory for reading, which may be in use by another process.
     *
     * @throws JournalException if the directory does not exist or cannot be read
     */
    public static JournalReader openReader(final Path directory)
    {
        return reader(directory);
    }

    static ChronicleReader reader(final Path directory)
    {
        if (!Files.isDirectory(directory))
        {
            throw new JournalException(JournalErrorCode.DIRECTORY, "there is no journal, directory=" + directory);
        }
        final SingleChronicleQueue queue = ChronicleJournal.queue(directory, System::currentTimeMillis, true);
        try
        {
            return new ChronicleReader(directory, ChronicleJournal.tailer(queue),
                () -> startOfNewestFile(directory, queue), null, queue);
        }
        catch (final JournalException e)
        {
            queue.close();
            throw e;
        }
    }

    /**
     * Identifies a directory of journals: a random name, which is stored in it.
     *
     * @throws JournalException if it cannot be read or written
     */
    public static String id(final Path directory)
    {
        final Path file = directory.resolve("id");
        try
        {
            if (!Files.exists(file))
            {
                Files.createDirectories(directory);
                final Path unfinished = directory.resolve("id-unfinished");
                Files.writeString(unfinished, UUID.randomUUID().toString());
                Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            }
            return Files.readString(file).strip();
        }
        catch (final IOException e)
        {
            throw new JournalException(JournalErrorCode.DIRECTORY,
                "the directory of journals cannot be used, file=" + file + ": " + e, e);
        }
    }

    /**
     * Names of the directories in a directory of journals; none if it does not exist.
     *
     * @throws JournalException if it cannot be read
     */
    public static List<String> directories(final Path directory)
    {
        if (!Files.isDirectory(directory))
        {
            return List.of();
        }
        try (Stream<Path> paths = Files.list(directory))
        {
            return paths.filter(Files::isDirectory).map(path -> path.getFileName().toString()).sorted().toList();
        }
        catch (final IOException e)
        {
            throw new JournalException(JournalErrorCode.DIRECTORY,
                "the directory of journals cannot be read, directory=" + directory + ": " + e, e);
        }
    }

    /** Position of the first record of the newest file that has one: a killed process may leave a file empty. */
    private static long startOfNewestFile(final Path directory, final SingleChronicleQueue queue)
    {
        final List<JournalFile> files = JournalFile.of(directory);
        for (int i = files.size() - 1; i >= 0; i--)
        {
            if (ChronicleJournal.usedBytes(queue, files.get(i).cycle()) > 0)
            {
                return FileCycle.position(files.get(i).cycle(), 0);
            }
        }
        return Journal.NONE;
    }
}
