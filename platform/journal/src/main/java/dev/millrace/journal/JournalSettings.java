package dev.millrace.journal;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Settings of a journal.
 *
 * @param directory      directory of its files, created when it does not exist; of one journal only
 * @param owner          name of the owner, for example of the application; a journal of another owner is refused
 * @param sync           when records are written to the disk
 * @param syncIntervalNs interval of {@link SyncMode#INTERVAL}
 * @param fileBytes      size at which the next file begins
 * @param maxBytes       maximum size of all files
 * @param minFreeBytes   free space that is left on the disk
 * @param retentionMs    how long files are kept that {@link Journal#deleteBefore} may delete, while all files have at
 *                       most half of their maximum size; 0 if they are deleted at once
 */
public record JournalSettings(
    Path directory,
    String owner,
    SyncMode sync,
    long syncIntervalNs,
    long fileBytes,
    long maxBytes,
    long minFreeBytes,
    long retentionMs)
{
    /** Default interval of synchronization. */
    public static final long SYNC_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Default size of a file. */
    public static final long FILE_BYTES = 256L << 20;
    /** Default maximum of all files. */
    public static final long MAX_BYTES = 64L << 30;
    /** Default space that is left on the disk. */
    public static final long MIN_FREE_BYTES = 1L << 30;

    public JournalSettings
    {
        Objects.requireNonNull(directory, "directory");
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(sync, "sync");
        if (syncIntervalNs <= 0 || fileBytes <= 0 || maxBytes <= 0 || minFreeBytes < 0 || retentionMs < 0)
        {
            throw new IllegalArgumentException("not the settings of a journal, syncIntervalNs=" + syncIntervalNs +
                " fileBytes=" + fileBytes + " maxBytes=" + maxBytes + " minFreeBytes=" + minFreeBytes +
                " retentionMs=" + retentionMs);
        }
    }

    /** Default settings of a journal. */
    public static JournalSettings of(final Path directory, final String owner)
    {
        return new JournalSettings(directory, owner, SyncMode.INTERVAL, SYNC_INTERVAL_NS, FILE_BYTES, MAX_BYTES,
            MIN_FREE_BYTES, 0);
    }

    /** The same settings with another mode of synchronization. */
    public JournalSettings withSync(final SyncMode mode, final long intervalNs)
    {
        return new JournalSettings(directory, owner, mode, intervalNs, fileBytes, maxBytes, minFreeBytes,
            retentionMs);
    }

    /** The same settings with other limits of space. */
    public JournalSettings withSpace(final long ofFile, final long ofAll, final long leftFree)
    {
        return new JournalSettings(directory, owner, sync, syncIntervalNs, ofFile, ofAll, leftFree, retentionMs);
    }

    /** The same settings with another time for which files are kept. */
    public JournalSettings withRetention(final long timeMs)
    {
        return new JournalSettings(directory, owner, sync, syncIntervalNs, fileBytes, maxBytes, minFreeBytes, timeMs);
    }
}
