package dev.millrace.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;

/**
 * Result of deleting the files of a journal that none of its snapshots needs. Immutable.
 *
 * @param files number of deleted files
 * @param bytes their size on the disk
 * @param kept  number of files that are left
 */
public record JournalTrim(int files, long bytes, int kept)
{
    /**
     * Deletes whole files. Those that contain records after the older of two snapshots are kept, because a start may
     * need them; if there is only one snapshot, all are.
     *
     * @param owner    name of the user of the journal, for the message of others
     * @param beforeMs wall-clock time: files with records that were written later are kept; {@link Long#MAX_VALUE}
     *                 for no such limit
     * @param isDryRun only finds the files; the journal may be in use
     * @throws JournalException if the journal is in use, a snapshot is damaged, or a file cannot be deleted
     */
    public static JournalTrim of(final Path directory, final String owner, final long beforeMs, final boolean isDryRun)
    {
        if (isDryRun)
        {
            return trim(directory, beforeMs, true);
        }
        final DirectoryLock lock = DirectoryLock.acquire(directory, owner);
        try
        {
            return trim(directory, beforeMs, false);
        }
        finally
        {
            lock.close();
        }
    }

    private static JournalTrim trim(final Path directory, final long beforeMs, final boolean isDryRun)
    {
        final List<JournalFile> files = JournalFile.of(directory);
        final int needed = firstNeeded(directory);
        int count = 0;
        long bytes = 0;
        try
        {
            // Files are deleted oldest first, so that a failure leaves no gap.
            while (count + 1 < files.size() && files.get(count).cycle() < needed &&
                FileCycle.timeMs(files.get(count + 1).cycle()) <= beforeMs)
            {
                final Path path = files.get(count).path();
                bytes += Files.size(path);
                count++;
                if (!isDryRun)
                {
                    Files.delete(path);
                }
            }
        }
        catch (final IOException e)
        {
            throw new JournalException(JournalErrorCode.DIRECTORY, "a file of the journal cannot be deleted, " +
                "directory=" + directory + ": " + e, e);
        }
        if (count > 0 && !isDryRun)
        {
            try (SingleChronicleQueue queue = ChronicleJournal.queue(directory, System::currentTimeMillis, false))
            {
                queue.refreshDirectoryListing();
            }
        }
        return new JournalTrim(count, bytes, files.size() - count);
    }

    /** The number of the first file that a start may need. */
    private static int firstNeeded(final Path directory)
    {
        try
        {
            final List<Path> snapshots = new SnapshotStore(directory).files();
            if (snapshots.size() < SnapshotStore.KEPT)
            {
                return 0;
            }
            int first = Integer.MAX_VALUE;
            for (final Path each : snapshots)
            {
                first = Math.min(first, FileCycle.cycle(SnapshotStore.read(each, false).position()));
            }
            return first;
        }
        catch (final IOException e)
        {
            throw new JournalException(JournalErrorCode.SNAPSHOT, "snapshots cannot be read, directory=" + directory +
                ": " + e, e);
        }
    }
}
