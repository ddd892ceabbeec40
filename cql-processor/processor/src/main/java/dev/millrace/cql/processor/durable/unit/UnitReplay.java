package dev.millrace.cql.processor.durable.unit;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Producers;
import dev.millrace.cql.processor.durable.output.RaisedNumbers;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.journal.Journal;
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
import java.util.function.BooleanSupplier;

/**
 * Reads the journal of a unit and passes its records to the groups that it now has. Confined to one thread.
 *
 * <p>Failure: {@link JournalException} if a record belongs to a group that does not exist, or the journal is damaged.
 */
final class UnitReplay implements AutoCloseable
{
    private final String unit;
    private final JournalReader reader;
    private final Map<String, ReplayedGroup> groups;
    private final RaisedNumbers raised;
    /** Groups by the numbers of the current file; {@code null} for a group that no longer exists. */
    private final Map<Integer, ReplayedGroup> numbered = new HashMap<>();
    private final Map<Integer, String> descriptions = new HashMap<>();
    /** Ids of producers in this process by those in the current file. */
    private final Map<Integer, Integer> producers = new HashMap<>();
    private final UnitLookups lookups;
    private final Map<Integer, ReplayedLookup> numberedLookups = new HashMap<>();
    /** Records up to this position are not replayed. */
    private final long after;
    private long records;
    /** A group and its batch that is processed when its answers are read; {@code null} without one. */
    private ReplayedGroup waiting;
    private EventBatch waitingBatch;
    private ReplayedAnswers answers;

    /**
     * @param reader  closed with the replay
     * @param groups  the unit's groups by their descriptions
     * @param raised  numbers of the unit's outputs
     * @param lookups of the unit
     * @param after   position of the first record to be replayed, exclusive
     */
    UnitReplay(final String unit, final JournalReader reader, final Map<String, ReplayedGroup> groups,
        final RaisedNumbers raised, final UnitLookups lookups, final long after)
    {
        this.lookups = lookups;
        this.after = after;
        this.raised = raised;
        this.unit = unit;
        this.reader = reader;
        this.groups = groups;
        if (after == Journal.NONE)
        {
            reader.moveToStart();
        }
        else
        {
            // The descriptions of groups precede the position in its file.
            reader.moveToFileOf(after);
        }
    }

    /**
     * Replays the records up to a position that is not between a batch and its answers, or all that exist.
     *
     * @param isStopped asked before each record
     * @param isLast    whether no record follows: then rows of the last batch without stored answers ask again
     * @return number of batches so far
     */
    long advance(final long until, final BooleanSupplier isStopped, final boolean isLast)
    {
        while (!isStopped.getAsBoolean() && reader.position() < until && reader.next())
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
        if (!isStopped.getAsBoolean())
        {
            process(isLast);
        }
        return records;
    }

    /** Position of the last record that was replayed, or that the snapshot includes. */
    long position()
    {
        return Math.max(after, reader.position());
    }

    @Override
    public void close()
    {
        reader.close();
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
            numberedLookups.put(group, lookups.replayed(text));
        }
        else if (kind == RecordKind.PRODUCER)
        {
            producers.put(group, Producers.id(StandardCharsets.UTF_8.decode(record).toString()));
        }
        else if (isNew && kind == RecordKind.ANSWER)
        {
            answer(group, record);
        }
        else if (isNew && kind == RecordKind.OUTPUT)
        {
            process(false);
            final long number = record.getLong();
            raised.raise(StandardCharsets.UTF_8.decode(record).toString(), number);
        }
        else if (isNew && RecordKind.isOfGroup(kind))
        {
            process(false);
            replay(kind, group, record);
            records++;
        }
    }

    private void replay(final byte kind, final int number, final ByteBuffer record)
    {
        final ReplayedGroup group = numbered.get(number);
        if (group == null)
        {
            throw otherRules(number);
        }
        switch (kind)
        {
            case RecordKind.ROWS -> await(group, group.rows(record, producers));
            case RecordKind.CLEAR -> group.clear();
            default -> await(group, group.time(record.getLong()));
        }
    }

    private JournalException otherRules(final int number)
    {
        return new JournalException(ProcessorErrorCode.OTHER_RULES, "the journal contains rows of rules that the " +
            "processor does not have, unit=" + unit + " rules=" + descriptions.get(number));
    }

    private void await(final ReplayedGroup group, final EventBatch batch)
    {
        waiting = group;
        waitingBatch = batch;
        answers = new ReplayedAnswers();
    }

    private void answer(final int number, final ByteBuffer record)
    {
        final ReplayedLookup lookup = numberedLookups.get(number);
        if (lookup == null)
        {
            throw otherRules(number);
        }
        if (waiting == null)
        {
            throw new IllegalArgumentException("an answer without a batch");
        }
        lookup.read(record, answers);
    }

    /** Processes the batch whose answers are read. */
    private void process(final boolean isLast)
    {
        if (waiting == null)
        {
            return;
        }
        answers.isLast(isLast);
        lookups.replay(answers);
        waiting.pass(waitingBatch);
        lookups.replay(null);
        answers.check(unit, reader.position());
        waiting = null;
    }
}
