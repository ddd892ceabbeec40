package dev.millrace.command.replay;

import dev.millrace.api.event.EventBatch;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.journal.JournalRow;
import dev.millrace.command.journal.UnitJournal;
import dev.millrace.journal.Journal;
import dev.millrace.journal.JournalErrorCode;
import dev.millrace.journal.JournalException;
import dev.millrace.journal.JournalReader;
import dev.millrace.journal.Journals;
import dev.millrace.network.durable.GroupDescription;
import dev.millrace.network.durable.RecordDecoder;
import dev.millrace.network.durable.RecordKind;
import dev.millrace.network.durable.ReplayEngine;
import java.nio.BufferUnderflowException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads the journal of a unit record by record. Confined to one thread. */
final class UnitCursor implements AutoCloseable
{
    private static final long NO_TIME = Long.MIN_VALUE;

    private final UnitJournal journal;
    private final JournalReader reader;
    private final RecordDecoder record = new RecordDecoder();
    private final Map<String, GroupDescription> groups = new LinkedHashMap<>();
    /** Last time of each group. */
    private final Map<String, Long> passed = new HashMap<>();
    private EventBatch rows;
    private long recordNs = NO_TIME;
    private long timeNs = NO_TIME;
    private boolean isAtEnd;
    private boolean isFollowed;

    /**
     * Opens a journal at its first record that is not a description.
     *
     * @throws CommandException if it cannot be read
     */
    UnitCursor(final UnitJournal journal)
    {
        this.journal = journal;
        try
        {
            reader = Journals.openReader(journal.directory());
            reader.moveToFileOf(Journal.NONE);
        }
        catch (final JournalException e)
        {
            throw UnitJournal.failure(e);
        }
        advance();
    }

    /** Time of the first row of a journal; the smallest number if it has none. */
    static long firstRowNs(final UnitJournal journal)
    {
        try (UnitCursor cursor = new UnitCursor(journal))
        {
            while (!cursor.isAtEnd() && !cursor.hasRows())
            {
                cursor.advance();
            }
            return cursor.hasRows() ? cursor.rows.timestampNs(0) : NO_TIME;
        }
    }

    /** Expects that records are appended and deleted while it reads. */
    void follow()
    {
        isFollowed = true;
    }

    String unit()
    {
        return journal.unit();
    }

    /** The groups that were described so far; those of the first file before the first record is passed on. */
    Collection<GroupDescription> groups()
    {
        return groups.values();
    }

    boolean isAtEnd()
    {
        return isAtEnd;
    }

    /** Time of the record, or of the last one before it that has a time. */
    long timeNs()
    {
        return timeNs;
    }

    /** Whether the record has rows of a channel. */
    boolean hasRows()
    {
        return !isAtEnd && record.kind() == RecordKind.ROWS && record.group().cache() == null;
    }

    /** Whether the rows of the record begin in a range. */
    boolean isIn(final TimeRange range)
    {
        return hasRows() && (range.contains(recordNs) || range.contains(rows.timestampNs(rows.size() - 1)));
    }

    /** Passes the record to a unit; several times to several ones. */
    void passTo(final ReplayEngine.Unit unit)
    {
        switch (record.kind())
        {
            case RecordKind.ROWS -> unit.rows(record.group(), rows);
            case RecordKind.CLEAR -> unit.clear(record.group());
            default -> unit.time(record.group(), recordNs);
        }
    }

    /** Moves to the next record; at the end, to one that was appended in the meantime. */
    void advance()
    {
        try
        {
            do
            {
                isAtEnd = !reader.next();
            }
            while (!isAtEnd && !decode());
        }
        catch (final JournalException e)
        {
            if (isFollowed && e.code().equals(JournalErrorCode.MISSING_FILE))
            {
                throw new CommandException(ExitCode.FAILED, "CMD-0253", "the running processor has deleted records " +
                    "that the replay has not reached, journal=" + journal.name() + " reachedTime=" +
                    JournalRow.text(JournalRow.time(timeNs)) + " cause=" + e.getMessage(), "set a retention of " +
                    "journals in config.xml that is longer than the replay takes, and start it again");
            }
            throw new CommandException(ExitCode.FAILED, "CMD-0247", "a journal is damaged, so its records from there " +
                "on cannot be replayed, journal=" + journal.name() + " intactUntil=" +
                JournalRow.text(JournalRow.time(timeNs)) + " cause=" + e.getMessage(), "restore its files from a copy" +
                ", or replay what is before with --to; millrace journal verify shows the file and the offset");
        }
    }

    /** Whether it is a record to pass on. */
    private boolean decode()
    {
        try
        {
            record.begin(reader.bytes(), reader.length());
            if (record.kind() == RecordKind.GROUP || record.kind() == RecordKind.PRODUCER ||
                record.kind() == RecordKind.OUTPUT || record.kind() == RecordKind.RULES ||
                record.kind() == RecordKind.ANSWER)
            {
                if (record.kind() == RecordKind.GROUP)
                {
                    groups.put(record.group().name(), record.group());
                }
                return false;
            }
            rows = record.kind() == RecordKind.ROWS ? record.rows() : null;
        }
        catch (final BufferUnderflowException | IllegalArgumentException e)
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0234", "a record cannot be decoded, journal=" +
                journal.name() + " position=" + reader.position() + " reason=" + e, "its checksum is correct, so " +
                "another version wrote it; use the command of that version");
        }
        if (record.group().cache() == null && record.kind() != RecordKind.CLEAR)
        {
            recordNs = rows == null ? record.timeNs() : rows.timestampNs(0);
            timeNs = Math.max(timeNs, recordNs);
            passed.merge(record.group().name(), recordNs, Math::max);
        }
        return true;
    }

    /** The time that all groups with records have passed; the smallest number before the first record. */
    long completeNs()
    {
        return passed.values().stream().mapToLong(Long::longValue).min().orElse(NO_TIME);
    }

    /** Whether all groups have reached a time, so that their output before it is complete. */
    boolean hasPassed(final long untilNs)
    {
        return timeNs >= untilNs && groups.values().stream().filter(group -> group.cache() == null)
            .allMatch(group -> passed.getOrDefault(group.name(), NO_TIME) >= untilNs);
    }


    @Override
    public void close()
    {
        reader.close();
    }
}
