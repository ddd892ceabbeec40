package dev.millrace.network.spi;

import dev.millrace.journal.JournalSettings;
import dev.millrace.journal.SyncMode;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * How an instance stores the state of durable processors.
 *
 * @param sync               when records of journals are written to the disk
 * @param syncIntervalNs     interval of {@link SyncMode#INTERVAL}
 * @param snapshotIntervalNs time between two snapshots of a processor
 * @param maxPauseNs         how long a snapshot may pause a processor; if it took longer, a second copy of the
 *                           processor provides the state of the next ones
 * @param fileBytes          size of a file of a journal
 * @param maxBytes           maximum size of a journal
 * @param minFreeBytes       free space that is left on the disk
 * @param waitsForSpace      whether sources wait while a journal has no space; otherwise rows are rejected
 * @param retentionMs        how long files of a journal are kept for replays; 0 if they are deleted as soon as no
 *                           snapshot needs them
 */
public record DurabilitySettings(SyncMode sync, long syncIntervalNs, long snapshotIntervalNs, long maxPauseNs,
    long fileBytes, long maxBytes, long minFreeBytes, boolean waitsForSpace, long retentionMs)
{
    public static final DurabilitySettings DEFAULT = new DurabilitySettings(SyncMode.INTERVAL,
        JournalSettings.SYNC_INTERVAL_NS, TimeUnit.MINUTES.toNanos(1), TimeUnit.MILLISECONDS.toNanos(2),
        JournalSettings.FILE_BYTES, JournalSettings.MAX_BYTES, JournalSettings.MIN_FREE_BYTES, true, 0);

    /** The settings of a journal. */
    public JournalSettings journal(final Path directory, final String owner)
    {
        return new JournalSettings(directory, owner, sync, syncIntervalNs, fileBytes, maxBytes, minFreeBytes,
            retentionMs);
    }
}
