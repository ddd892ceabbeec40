package dev.millrace.cql.processor.durable;

import dev.millrace.api.event.Producers;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.journal.JournalErrorCode;
import dev.millrace.journal.JournalException;
import dev.millrace.journal.JournalReader;
import dev.millrace.network.durable.RecordKind;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Reads the journal of a unit and passes its records to the groups that it now has. Single use. */
final class UnitReplay
{
    private final String unit;
    private final JournalReader reader;
    private final Map<String, ReplayedGroup> groups;
    /** Groups by the numbers of the current file; {@code null} for a group that no longer exists. */
    private final Map<Integer, ReplayedGroup> numbered = new HashMap<>();
    private final Map<Integer, String> descriptions = new HashMap<>();
    /** Ids of producers in this process by those in the current file. */
    private final Map<Integer, Integer> producers = new HashMap<>();
    private long records;

    /**
     * @param groups the unit's groups by their descriptions
     */
    UnitReplay(final String unit, final JournalReader reader, final Map<String, ReplayedGroup> groups)
    {
        this.unit = unit;
        this.reader = reader;
        this.groups = groups;
    }

    /**
     * Replays all records after a position.
     *
     * @return number of batches
     * @throws JournalException if a record belongs to a group that no longer exists, or the journal is damaged
     */
    long run(final long after)
    {
        // The descriptions of groups precede the position in its file.
        reader.moveToFileOf(after);
        while (reader.next())
        {
            final ByteBuffer record =
                ByteBuffer.wrap(reader.bytes(), 0, reader.length()).order(ByteOrder.LITTLE_ENDIAN);
            try
            {
                record(record, reader.position() > after);
            }
            catch (final BufferUnderflowException | IllegalArgumentException e)
            {
                throw new JournalException(JournalErrorCode.DAMAGED, "a record of the journal of a unit cannot be " +
                    "decoded, unit=" + unit + " position=" + reader.position() + ": " + e, e);
            }
        }
        return records;
    }

    private void record(final ByteBuffer record, final boolean isNew)
    {
        final byte kind = record.get();
        final int group = record.getInt();
        if (kind == RecordKind.GROUP)
        {
            final String text = StandardCharsets.UTF_8.decode(record).toString();
            descriptions.put(group, text);
            numbered.put(group, groups.get(text));
        }
        else if (kind == RecordKind.PRODUCER)
        {
            producers.put(group, Producers.id(StandardCharsets.UTF_8.decode(record).toString()));
        }
        else if (isNew)
        {
            replay(kind, group, record);
            records++;
        }
    }

    private void replay(final byte kind, final int number, final ByteBuffer record)
    {
        final ReplayedGroup group = numbered.get(number);
        if (group == null)
        {
            throw new JournalException(ProcessorErrorCode.OTHER_RULES, "the journal contains rows of rules that the " +
                "processor does not have, unit=" + unit + " rules=" + descriptions.get(number));
        }
        switch (kind)
        {
            case RecordKind.ROWS -> group.rows(record, producers);
            case RecordKind.CLEAR -> group.clear();
            default -> group.time(record.getLong());
        }
    }
}
