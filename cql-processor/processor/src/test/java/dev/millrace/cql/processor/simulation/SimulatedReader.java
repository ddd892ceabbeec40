package dev.millrace.cql.processor.simulation;

import dev.millrace.journal.Journal;
import dev.millrace.journal.JournalErrorCode;
import dev.millrace.journal.JournalException;
import dev.millrace.journal.JournalReader;
import dev.millrace.network.durable.RecordKind;

/** Reads the records of a {@link SimulatedJournal}. Confined to one thread. */
final class SimulatedReader implements JournalReader
{
    private final SimulatedRecords records;
    private final Flaw flaw;
    private byte[] bytes;
    private long position;
    /** The last record or header that was read. */
    private long last;
    private long after;
    private boolean isFromStart;

    SimulatedReader(final SimulatedRecords records, final Flaw flaw)
    {
        this.records = records;
        this.flaw = flaw;
    }

    @Override
    public void moveAfter(final long to)
    {
        moveToFileOf(to);
        after = to;
    }

    @Override
    public void moveToStart()
    {
        last = Journal.NONE;
        after = Journal.NONE;
        isFromStart = true;
    }

    @Override
    public void moveToFileOf(final long to)
    {
        moveToStart();
        isFromStart = false;
        if (to != Journal.NONE && records.first() != null)
        {
            final SimulatedRecords.Stored header = records.headerOf(to);
            if (header == null)
            {
                throw new JournalException(JournalErrorCode.MISSING_FILE, "the file of a position does not exist");
            }
            last = header.position() - 1;
        }
    }

    @Override
    public boolean next()
    {
        SimulatedRecords.Stored next;
        do
        {
            next = records.after(last);
            if (next == null)
            {
                return false;
            }
            if (next.isHeader() && isFromStart && next.before() != Journal.NONE)
            {
                throw new JournalException(JournalErrorCode.MISSING_FILE, "the first records were deleted");
            }
            isFromStart = false;
            last = next.position();
        }
        while (next.isHeader() || next.position() <= after || isForgotten(next));
        bytes = next.bytes();
        position = next.position();
        return true;
    }

    private boolean isForgotten(final SimulatedRecords.Stored record)
    {
        return flaw == Flaw.SKIPPED_RECORDS && record.bytes()[0] == RecordKind.ROWS && record.position() % 7 == 0;
    }

    @Override
    public long position()
    {
        return position;
    }

    @Override
    public byte[] bytes()
    {
        return bytes;
    }

    @Override
    public int length()
    {
        return bytes.length;
    }

    @Override
    public void close()
    {
        // Nothing is open.
    }
}
