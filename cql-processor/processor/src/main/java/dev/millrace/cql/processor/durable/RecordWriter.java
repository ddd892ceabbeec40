package dev.millrace.cql.processor.durable;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.processor.relation.ChangeLog;
import dev.millrace.journal.Journal;
import dev.millrace.network.durable.GroupDescription;
import dev.millrace.network.durable.RecordKind;
import dev.millrace.network.partition.RowEncoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.IntPredicate;

/**
 * Appends the rows of a group of pipelines, or the changes of a replica, to the journal of their unit. Confined to the
 * thread that acts as the unit's worker.
 *
 * <p>Failure: {@link dev.millrace.journal.JournalException} if a record cannot be appended.
 */
final class RecordWriter implements ChangeLog
{
    private static final int FIRST_BYTES = 1 << 14;

    private final Journal journal;
    private final int number;
    private final String description;
    private final RowEncoder encoder;
    /** Whether the current file contains the description, so that the next ones will, too. */
    private boolean isDescribed;
    private ByteBuffer buffer = ByteBuffer.allocate(FIRST_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    /**
     * @param number identifies the group or replica in records
     * @param isNew  whether the unit has it since the current file began, which lacks its description
     */
    RecordWriter(final Journal journal, final int number, final String name, final BatchSchema schema,
        final IntPredicate columns, final boolean isNew)
    {
        isDescribed = !isNew;
        this.journal = journal;
        this.number = number;
        description = GroupDescription.of(name, schema, columns).text();
        encoder = RowEncoder.forJournal(schema, columns);
    }

    String description()
    {
        return description;
    }

    /** Appends the description, which precedes the rows in each file; called while another record is appended. */
    void describe()
    {
        final ByteBuffer text = ByteBuffer.wrap(description.getBytes(StandardCharsets.UTF_8));
        final ByteBuffer record = ByteBuffer.allocate(1 + Integer.BYTES + text.remaining())
            .order(ByteOrder.LITTLE_ENDIAN).put(RecordKind.GROUP).putInt(number).put(text);
        journal.append(record.array(), 0, record.position());
        isDescribed = true;
    }

    private void begin(final byte kind)
    {
        if (!isDescribed)
        {
            describe();
        }
        buffer.clear();
        buffer.put(kind).putInt(number);
    }

    private void end()
    {
        journal.append(buffer.array(), 0, buffer.position());
    }

    @Override
    public void append(final EventBatch rows)
    {
        begin(RecordKind.ROWS);
        buffer = encoder.encode(rows, buffer);
        end();
    }

    /** Appends a time without rows. */
    void time(final long timeNs)
    {
        begin(RecordKind.TIME);
        buffer.putLong(timeNs);
        end();
    }

    @Override
    public void clear()
    {
        begin(RecordKind.CLEAR);
        end();
    }
}
