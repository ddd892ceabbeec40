package dev.millrace.cql.processor.durable.unit;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.processor.relation.ChangeLog;
import dev.millrace.journal.Journal;
import dev.millrace.network.durable.AnswerForm;
import dev.millrace.network.durable.GroupDescription;
import dev.millrace.network.durable.RecordKind;
import dev.millrace.network.partition.RowEncoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.IntPredicate;

/**
 * Appends the rows of a group of pipelines, the changes of a replica, or the answers of a look-up to the journal of
 * their unit. Confined to the thread that acts as the unit's worker.
 *
 * <p>Failure: {@link dev.millrace.journal.JournalException} if a record cannot be appended.
 */
final class RecordWriter implements ChangeLog
{
    private static final int FIRST_BYTES = 1 << 14;
    /** Maximum number of characters of the text of a rejection. */
    private static final int MOST_TEXT = 2_000;

    private final Journal journal;
    private final int number;
    private final String description;
    private final RowEncoder encoder;
    /** Whether the current file contains the description, so that the next ones will, too. */
    private boolean isDescribed;
    private ByteBuffer buffer = ByteBuffer.allocate(FIRST_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    /**
     * @param number identifies the group, replica or look-up in records
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

    /** Appends a part of an answer, see {@link AnswerForm}; rows are {@code null} if it has none. */
    void answer(final int form, final EventBatch rows)
    {
        begin(RecordKind.ANSWER);
        buffer.put((byte)(rows == null ? form : form | AnswerForm.ROWS));
        if (rows != null)
        {
            buffer = encoder.encode(rows, buffer);
        }
        end();
    }

    /** Appends that the row that asked was rejected. */
    void rejection(final String reason, final String text)
    {
        final byte[] first = reason.getBytes(StandardCharsets.UTF_8);
        final byte[] second = text.substring(0, Math.min(text.length(), MOST_TEXT)).getBytes(StandardCharsets.UTF_8);
        begin(RecordKind.ANSWER);
        buffer.put((byte)(AnswerForm.FIRST | AnswerForm.LAST | AnswerForm.REJECTED));
        buffer.putInt(first.length).put(first).putInt(second.length).put(second);
        end();
    }

    @Override
    public void clear()
    {
        begin(RecordKind.CLEAR);
        end();
    }
}
