package dev.millrace.cql.processor.durable.unit;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
import dev.millrace.journal.Journal;
import dev.millrace.network.durable.RecordKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/**
 * The producers whose rows the journal of a unit contains: their names precede their rows in each file, because ids
 * differ between processes. Confined to the thread that acts as the unit's worker.
 */
final class ProducerNames
{
    private final Journal journal;
    private final BitSet named = new BitSet();

    ProducerNames(final Journal journal)
    {
        this.journal = journal;
    }

    /** Appends the names of producers that the current file does not contain yet. */
    void name(final EventBatch batch)
    {
        for (int row = 0; row < batch.size(); row++)
        {
            final int producer = RowSequence.producer(batch.sequences()[row]);
            if (producer != 0 && !named.get(producer))
            {
                append(producer);
                named.set(producer);
            }
        }
    }

    /** Appends all names so far, at the start of a file. */
    void describe()
    {
        named.stream().forEach(this::append);
    }

    private void append(final int producer)
    {
        final byte[] name = Producers.name(producer).getBytes(StandardCharsets.UTF_8);
        final ByteBuffer record = ByteBuffer.allocate(1 + Integer.BYTES + name.length).order(ByteOrder.LITTLE_ENDIAN)
            .put(RecordKind.PRODUCER).putInt(producer).put(name);
        journal.append(record.array(), 0, record.position());
    }
}
