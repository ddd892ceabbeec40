package dev.millrace.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;

/**
 * Cuts a journal before its first damaged record, so that it can be opened again. The damaged file and later ones are
 * moved to a directory in that of the journal. A snapshot that is newer than the cut becomes the state at the cut: then
 * only the records after the snapshot are lost.
 *
 * <p>Each step leaves a journal that can be repaired again, if the process is killed. Not thread-safe; the lock of the
 * directory excludes other processes.
 */
public final class JournalRepair
{
    private static final String UNFINISHED = "repair-unfinished";

    private final Path directory;
    private final Path removed;
    private final List<Path> moved = new ArrayList<>();

    /**
     * What was done.
     *
     * @param kept      number of records before the damage
     * @param lost      number of intact records in later files, all of which a newer snapshot may include
     * @param lastKept  position of the last record that is kept
     * @param snapshot  position of the snapshot that became the state at the cut; {@link Journal#NONE} if the state
     *                  continues from the last kept record
     * @param directory where the other files are now
     * @param moved     names of these files
     */
    public record Result(long kept, long lost, long lastKept, long snapshot, Path directory, List<Path> moved)
    {
    }

    private JournalRepair(final Path directory, final Path removed)
    {
        this.directory = directory;
        this.removed = removed;
    }

    /**
     * Repairs the journal of a directory.
     *
     * @param wallTimeMs names the directory of the removed files
     * @return empty if no record is damaged
     * @throws JournalException if the journal is in use, has a newer format, or cannot be written
     */
    public static Optional<Result> run(final Path directory, final long wallTimeMs)
    {
        final DirectoryLock lock = DirectoryLock.acquire(directory, "millrace journal repair");
        try
        {
            final JournalCheck check = JournalCheck.of(directory, records ->
            {
            });
            final Optional<JournalCheck.Damage> damage = check.damages().stream()
                .filter(each -> each.file().toString().endsWith(SingleChronicleQueue.SUFFIX)).findFirst();
            if (damage.isEmpty())
            {
                return Optional.empty();
            }
            if (damage.get().problem().code().equals(JournalErrorCode.NEWER_FORMAT))
            {
                throw damage.get().problem();
            }
            return Optional.of(new JournalRepair(directory, directory.resolve("removed-" + wallTimeMs))
                .cut(damage.get().file(), check.records()));
        }
        catch (final IOException | UncheckedIOException e)
        {
            throw new JournalException(JournalErrorCode.DIRECTORY, "the journal cannot be repaired, directory=" +
                directory + ": " + e, e);
        }
        finally
        {
            lock.close();
        }
    }

    private Result cut(final Path damaged, final long kept) throws IOException
    {
        final List<JournalFile> later = new ArrayList<>();
        JournalFile first = null;
        for (final JournalFile file : JournalFile.of(directory))
        {
            if (file.path().equals(damaged))
            {
                first = file;
            }
            else if (first != null)
            {
                later.add(file);
            }
        }
        long lost = 0;
        for (final JournalFile file : later)
        {
            // Without its header.
            lost += Math.max(0, intact(file, null) - 1);
        }
        Files.createDirectories(removed);
        // The newest first: what is left is always the beginning of the journal.
        later.sort(Comparator.comparing(JournalFile::cycle).reversed());
        for (final JournalFile file : later)
        {
            move(file.path());
        }
        replace(first);
        final long last = lastPosition();
        return new Result(kept, lost, last, moveSnapshots(last), removed, List.copyOf(moved));
    }

    private void move(final Path file) throws IOException
    {
        Files.move(file, removed.resolve(file.getFileName()));
        moved.add(file.getFileName());
    }

    /** Replaces the damaged file by its intact beginning. */
    private void replace(final JournalFile file) throws IOException
    {
        final Path unfinished = directory.resolve(UNFINISHED);
        delete(unfinished);
        Files.createDirectories(unfinished);
        final long frames;
        try (SingleChronicleQueue queue =
            ChronicleJournal.queue(unfinished, () -> FileCycle.timeMs(file.cycle()), false);
            ExcerptAppender appender = queue.createAppender())
        {
            frames = intact(file, appender);
        }
        Files.copy(file.path(), removed.resolve(file.path().getFileName()), StandardCopyOption.REPLACE_EXISTING);
        moved.add(file.path().getFileName());
        if (frames == 0)
        {
            Files.delete(file.path());
        }
        else
        {
            Files.move(JournalFile.path(unfinished, file.cycle()), file.path(), StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        }
        delete(unfinished);
    }

    /** Copies the header and the intact records at the beginning of a file; returns the number of both. */
    private long intact(final JournalFile file, final ExcerptAppender to)
    {
        long records = 0;
        try (ChronicleReader reader = Journals.reader(directory))
        {
            reader.moveToFile(file);
            while (reader.nextIn(file.cycle()))
            {
                if (to != null)
                {
                    reader.copyTo(to);
                }
                records++;
            }
        }
        catch (final JournalException end)
        {
            // The first record that is not intact.
            return records;
        }
        return records;
    }

    private long lastPosition()
    {
        final List<JournalFile> files = JournalFile.of(directory);
        try (ChronicleReader reader = Journals.reader(directory))
        {
            for (int i = files.size() - 1; i >= 0; i--)
            {
                reader.moveToFile(files.get(i));
                while (reader.nextIn(files.get(i).cycle()))
                {
                    // Up to its end.
                }
                if (reader.lastPosition() != Journal.NONE)
                {
                    return reader.lastPosition();
                }
            }
        }
        return Journal.NONE;
    }

    /** Turns the newest snapshot into the state at the cut if it is newer. */
    private long moveSnapshots(final long last) throws IOException
    {
        final SnapshotStore store = new SnapshotStore(directory);
        final Snapshot newest = store.newest(damaged ->
        {
        });
        if (newest == null || newest.position() <= last)
        {
            return Journal.NONE;
        }
        final List<Path> newer = new ArrayList<>();
        for (final Path file : store.files())
        {
            if (SnapshotStore.position(file) > last)
            {
                newer.add(file);
            }
        }
        store.write(last, newest.content());
        for (final Path file : newer)
        {
            if (Files.exists(file))
            {
                move(file);
            }
        }
        return newest.position();
    }

    private static void delete(final Path directory) throws IOException
    {
        if (Files.exists(directory))
        {
            try (Stream<Path> files = Files.walk(directory))
            {
                for (final Path file : files.sorted(Comparator.reverseOrder()).toList())
                {
                    Files.delete(file);
                }
            }
        }
    }
}
