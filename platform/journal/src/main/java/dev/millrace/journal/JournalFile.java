package dev.millrace.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
    /** Mark of Chronicle Queue before a header that is not complete; zero before it is begun. */
    private static final int NOT_COMPLETE = 0x80000000;
    /** More than the header of Chronicle Queue, less than the offset of its first index. */
    private static final int HEADER_BYTES = 1 << 10;
    private static final int STEP_BYTES = 1 << 20;
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

    /**
     * Deletes files that a killed process had only begun: their header is not marked as complete, and nothing follows
     * it. Chronicle Queue would wait for each of them several times, for seconds. Called by the owner of the directory.
     */
    static void deleteUnfinished(final Path directory)
    {
        for (final JournalFile file : of(directory))
        {
            try
            {
                if (!file.hasHeader() && file.isEmpty())
                {
                    Files.delete(file.path());
                }
            }
            catch (final IOException e)
            {
                throw new JournalException(JournalErrorCode.DIRECTORY, "a file of the journal cannot be read or " +
                    "deleted, file=" + file.path() + ": " + e, e);
            }
        }
    }

    private boolean hasHeader() throws IOException
    {
        final ByteBuffer mark = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ))
        {
            channel.read(mark, 0);
        }
        return (mark.getInt(0) & ~NOT_COMPLETE) != 0;
    }

    /** Whether nothing follows the header; pages may follow that were written before the machine stopped. */
    private boolean isEmpty() throws IOException
    {
        final ByteBuffer zeros = ByteBuffer.allocate(STEP_BYTES);
        final ByteBuffer step = ByteBuffer.allocate(STEP_BYTES);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ))
        {
            channel.position(HEADER_BYTES);
            while (channel.read(step.clear()) >= 0)
            {
                step.flip();
                if (step.mismatch(zeros.limit(step.limit())) >= 0)
                {
                    return false;
                }
            }
        }
        return true;
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
