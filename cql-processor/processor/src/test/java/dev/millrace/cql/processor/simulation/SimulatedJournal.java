package dev.millrace.cql.processor.simulation;

import dev.millrace.journal.Journal;
import dev.millrace.journal.JournalErrorCode;
import dev.millrace.journal.JournalException;
import dev.millrace.journal.JournalReader;
import dev.millrace.journal.SyncMode;
import dev.millrace.network.spi.DurabilitySettings;
import java.util.Arrays;

/**
 * A journal on a {@link SimulatedDisk}, with the contract of {@link Journal}, opened by one process. Confined to one
 * thread.
 */
final class SimulatedJournal implements Journal
{
    private final SimulatedRecords records;
    private final SimulatedDisk disk;
    private final DurabilitySettings settings;
    private final Flaw flaw;
    private final Runnable onSync;
    private final int process;
    private Runnable onFileStart = () ->
    {
    };
    private boolean isOpen;
    private boolean isStarting;
    private boolean isDescribed;
    private boolean isClosed;
    private long syncDueNs;

    /**
     * @param onSync called when all records are on the disk
     */
    SimulatedJournal(final SimulatedRecords records, final SimulatedDisk disk, final DurabilitySettings settings,
        final Flaw flaw, final Runnable onSync)
    {
        this.records = records;
        this.disk = disk;
        this.settings = settings;
        this.flaw = flaw;
        this.onSync = onSync;
        process = disk.host().process();
        syncDueNs = disk.host().nowNs() + settings.syncIntervalNs();
        if (settings.sync() != SyncMode.NONE)
        {
            sync();
        }
    }

    @Override
    public long append(final byte[] bytes, final int from, final int length)
    {
        if (!isStarting)
        {
            if (!isOpen || records.fileBytes() >= settings.fileBytes())
            {
                beginFile();
            }
            describeFile();
        }
        checkSpace();
        disk.host().step(process);
        final long position = records.append(Arrays.copyOfRange(bytes, from, from + length));
        disk.host().step(process);
        if (settings.sync() == SyncMode.BATCH)
        {
            sync();
        }
        return position;
    }

    private void beginFile()
    {
        if (records.sizeBytes() + settings.fileBytes() > settings.maxBytes() && records.sizeBytes() > 0)
        {
            throw new JournalException(JournalErrorCode.FULL, "the journal has reached its maximum size");
        }
        checkSpace();
        disk.host().step(process);
        records.beginFile(isOpen);
        isOpen = true;
        isDescribed = false;
    }

    private void describeFile()
    {
        if (!isDescribed)
        {
            isStarting = true;
            try
            {
                onFileStart.run();
                isDescribed = true;
            }
            finally
            {
                isStarting = false;
            }
        }
    }

    private void checkSpace()
    {
        if (disk.isFull())
        {
            throw new JournalException(JournalErrorCode.FULL, "the disk has no space for the journal");
        }
    }

    @Override
    public long lastPosition()
    {
        return records.lastPosition();
    }

    @Override
    public long sync()
    {
        disk.host().step(process);
        final long position = records.lastPosition();
        disk.waitForForce();
        if (flaw != Flaw.UNSYNCED_BATCHES)
        {
            records.sync(position);
        }
        onSync.run();
        disk.host().step(process);
        return position;
    }

    /** Acts as the thread that synchronizes at an interval. */
    void syncIfDue()
    {
        if (settings.sync() == SyncMode.INTERVAL && !isClosed && disk.host().nowNs() - syncDueNs >= 0)
        {
            sync();
            syncDueNs = disk.host().nowNs() + settings.syncIntervalNs();
        }
    }

    @Override
    public long syncedPosition()
    {
        return records.synced();
    }

    @Override
    public JournalReader openReader()
    {
        return new SimulatedReader(records, flaw);
    }

    @Override
    public void deleteBefore(final long position)
    {
        records.syncNames();
        final long until = flaw == Flaw.DELETED_RECORDS ? Long.MAX_VALUE : position;
        do
        {
            disk.host().step(process);
        }
        while (records.deleteFile(until));
    }

    @Override
    public long sizeBytes()
    {
        return records.sizeBytes();
    }

    @Override
    public void onFileStart(final Runnable action)
    {
        onFileStart = action;
    }

    @Override
    public void close()
    {
        if (!isClosed && settings.sync() != SyncMode.NONE)
        {
            sync();
        }
        isClosed = true;
    }
}
