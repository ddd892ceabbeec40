package dev.millrace.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Stream;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;

/**
 * A file of a journal.
 *
 * @param path  the file
 * @param cycle its number
 */
record JournalFile(Path path, int cycle)
{
    private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern(FileCycle.INSTANCE.format());

    /** The files of a directory, oldest first. */
    static List<JournalFile> of(final Path directory)
    {
        if (!Files.isDirectory(directory))
        {
            return List.of();
        }
        try (Stream<Path> paths = Files.list(directory))
        {
            return paths.filter(path -> path.toString().endsWith(SingleChronicleQueue.SUFFIX)).sorted()
                .map(path -> new JournalFile(path, cycle(path))).toList();
        }
        catch (final IOException | UncheckedIOException e)
        {
            throw new JournalException(JournalErrorCode.DIRECTORY, "the directory of a journal cannot be read, " +
                "directory=" + directory + ": " + e, e);
        }
    }

    static Path path(final Path directory, final int cycle)
    {
        final LocalDateTime time = LocalDateTime.ofEpochSecond(FileCycle.timeMs(cycle) / 1_000, 0, ZoneOffset.UTC);
        return directory.resolve(NAME.format(time) + SingleChronicleQueue.SUFFIX);
    }

    /** The problem of a file, or of one in a directory, that cannot be opened. */
    static JournalException damaged(final Path path, final Exception cause)
    {
        return new JournalException(JournalErrorCode.DAMAGED, "a file has no valid header, path=" + path + " cause=" +
            cause.getClass().getSimpleName(), cause);
    }

    private static int cycle(final Path path)
    {
        final String name = path.getFileName().toString();
        final LocalDateTime time =
            LocalDateTime.parse(name.substring(0, name.length() - SingleChronicleQueue.SUFFIX.length()), NAME);
        return FileCycle.next(0, time.toEpochSecond(ZoneOffset.UTC) * 1_000);
    }
}
