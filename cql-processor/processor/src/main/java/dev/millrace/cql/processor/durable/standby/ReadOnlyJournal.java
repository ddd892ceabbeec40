package dev.millrace.cql.processor.durable.standby;

import dev.millrace.journal.Journal;
import dev.millrace.journal.JournalReader;

/** A journal that another unit writes; it is only read here, and remains open. */
final class ReadOnlyJournal implements Journal
{
    private final Journal journal;

    ReadOnlyJournal(final Journal journal)
    {
        this.journal = journal;
    }

    private static UnsupportedOperationException readOnly()
    {
        return new UnsupportedOperationException("internal error, please report it: a standby writes to a journal");
    }

    @Override
    public long append(final byte[] bytes, final int from, final int length)
    {
        throw readOnly();
    }

    @Override
    public long lastPosition()
    {
        return journal.lastPosition();
    }

    @Override
    public long sync()
    {
        throw readOnly();
    }

    @Override
    public long syncedPosition()
    {
        return journal.syncedPosition();
    }

    @Override
    public JournalReader openReader()
    {
        return journal.openReader();
    }

    @Override
    public void deleteBefore(final long position)
    {
        throw readOnly();
    }

    @Override
    public long sizeBytes()
    {
        return journal.sizeBytes();
    }

    @Override
    public void onFileStart(final Runnable action)
    {
        throw readOnly();
    }

    @Override
    public void close()
    {
        // Its unit closes it.
    }
}
