package dev.millrace.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;

/**
 * The files of a journal and its newest snapshot, without reading them. Immutable.
 *
 * @param files    number of files with records
 * @param bytes    size of the records and snapshots
 * @param oldestMs time at which the oldest file began; 0 without files
 * @param newestMs time of the last change of the newest file; 0 without files
 * @param snapshot newest snapshot; {@code null} for none
 * @param holder   owner and process that append to the journal; {@code null} if it is not in use
 */
public record JournalSummary(int files, long bytes, long oldestMs, long newestMs, SnapshotFile snapshot, String holder)
{
    /**
     * The file of a snapshot.
     *
     * @param position position of the last record that the state contains
     * @param timeMs   time at which it was written
     * @param bytes    size of the file
     */
    public record SnapshotFile(long position, long timeMs, long bytes)
    {
    }

    /**
     * Describes the journal of a directory, which may be in use.
     *
     * @throws JournalException if the directory cannot be read
     */
    public static JournalSummary of(final Path directory)
    {
        final List<JournalFile> files = JournalFile.of(directory);
        try
        {
            final List<Path> snapshots = new SnapshotStore(directory).files();
            long bytes = recordBytes(directory, files);
            for (final Path each : snapshots)
            {
                bytes += Files.size(each);
            }
            final Path newest = snapshots.isEmpty() ? null : snapshots.get(snapshots.size() - 1);
            return new JournalSummary(files.size(), bytes,
                files.isEmpty() ? 0 : FileCycle.timeMs(files.get(0).cycle()),
                files.isEmpty() ? 0 : changedMs(files.get(files.size() - 1).path()),
                newest == null ? null : new SnapshotFile(SnapshotStore.position(newest), changedMs(newest),
                    Files.size(newest)), DirectoryLock.holder(directory));
        }
        catch (final IOException e)
        {
            throw new JournalException(JournalErrorCode.DIRECTORY, "the files of a journal cannot be read, directory=" +
                directory + ": " + e, e);
        }
    }

    private static long changedMs(final Path file) throws IOException
    {
        return Files.getLastModifiedTime(file).toMillis();
    }

    /** Files are longer than their records, because space is reserved. */
    private static long recordBytes(final Path directory, final List<JournalFile> files) throws IOException
    {
        if (files.isEmpty())
        {
            return 0;
        }
        try (SingleChronicleQueue queue = ChronicleJournal.queue(directory, System::currentTimeMillis, true))
        {
            long bytes = 0;
            for (final JournalFile file : files)
            {
                bytes += recordBytes(queue, file);
            }
            return bytes;
        }
    }

    private static long recordBytes(final SingleChronicleQueue queue, final JournalFile file) throws IOException
    {
        try
        {
            return ChronicleJournal.usedBytes(queue, file.cycle());
        }
        catch (final JournalException damaged)
        {
            return Files.size(file.path());
        }
    }
}
