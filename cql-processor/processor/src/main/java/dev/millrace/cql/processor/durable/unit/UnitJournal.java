package dev.millrace.cql.processor.durable.unit;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.cql.processor.worker.PipelineGroup;
import dev.millrace.journal.Journal;
import dev.millrace.journal.JournalReader;
import dev.millrace.network.durable.RecordKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The journal of a unit and the writers of its records. The descriptions of the writers precede their records in each
 * file of the journal.
 *
 * <p>Threads: as {@link DurableUnit}; records are appended by the thread that acts as the unit's worker.
 */
final class UnitJournal implements AutoCloseable
{
    private final Journal journal;
    private final ProducerNames producers;
    private final List<RecordWriter> writers = new ArrayList<>();
    private int nextWriter;

    /** @param journal closed with it */
    UnitJournal(final Journal journal)
    {
        this.journal = journal;
        producers = new ProducerNames(journal);
    }

    Journal journal()
    {
        return journal;
    }

    ProducerNames producers()
    {
        return producers;
    }

    /** A writer whose number no other one has in the current file; the unit does not have it yet. */
    RecordWriter newWriter(
        final String name, final BatchSchema schema, final IntPredicate columns, final boolean isNew)
    {
        return new RecordWriter(journal, nextWriter++, name, schema, columns, isNew);
    }

    /** A writer for a group, which the unit does not have yet. */
    RecordWriter newWriter(final PipelineGroup group, final boolean isNew)
    {
        return newWriter(group.name(), group.schema(), group.columns(), isNew);
    }

    /** Adds a writer before the replay. */
    RecordWriter add(final RecordWriter writer)
    {
        writers.add(writer);
        return writer;
    }

    /** Replaces the writers. */
    void exchange(final List<RecordWriter> next)
    {
        writers.clear();
        writers.addAll(next);
    }

    /** Prepares the journal for the first record. */
    void begin()
    {
        journal.onFileStart(() ->
        {
            writers.forEach(RecordWriter::describe);
            producers.describe();
        });
    }

    /** Whether it contains rows after a position, {@link Journal#NONE} for its start. */
    boolean hasRowsAfter(final long position)
    {
        try (JournalReader reader = journal.openReader())
        {
            if (position == Journal.NONE)
            {
                reader.moveToStart();
            }
            else
            {
                reader.moveToFileOf(position);
            }
            while (reader.next())
            {
                if (reader.position() > position && RecordKind.isOfGroup(reader.bytes()[0]))
                {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * Appends that the rules change here.
     *
     * @param version of the rules after the change
     * @return position of the record
     */
    long appendChange(final int version)
    {
        final byte[] record = ByteBuffer.allocate(1 + Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN)
            .put(RecordKind.RULES).putInt(version).array();
        return journal.append(record, 0, record.length);
    }

    @Override
    public void close()
    {
        journal.close();
    }
}
