package dev.millrace.cql.processor.durable;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.processor.worker.BatchLog;
import dev.millrace.cql.processor.worker.SequenceMarks;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.journal.Journal;
import dev.millrace.journal.JournalException;
import dev.millrace.network.partition.RowEncoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Appends the batches of a group of pipelines to the journal of the unit that runs them. Confined to the thread that
 * acts as the unit's worker.
 *
 * <p>Failure: rows that cannot be appended are rejected and must not be processed; if the disk is full, rows are
 * accepted again as soon as it has space.
 */
final class BatchRecorder implements BatchLog
{
    private static final String REJECT_REASON = "not-journaled";
    private static final int FIRST_BYTES = 1 << 14;

    private final Journal journal;
    private final int number;
    private final BatchSchema schema;
    private final String description;
    private final RowEncoder encoder;
    private final RejectionHandler rejection;
    private final SequenceMarks marks;
    private final ProducerNames producers;
    private final int[] newRows = new int[EventBatch.CAPACITY];
    private EventBatch selected;
    private ByteBuffer buffer = ByteBuffer.allocate(FIRST_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    BatchRecorder(final Journal journal, final int number, final String name, final BatchSchema schema,
        final IntPredicate columns, final RejectionHandler rejection, final SequenceMarks marks,
        final ProducerNames producers)
    {
        this.marks = marks;
        this.producers = producers;
        this.journal = journal;
        this.number = number;
        description = description(name, schema, columns);
        this.schema = schema;
        this.rejection = rejection;
        encoder = RowEncoder.forJournal(schema, columns);
    }

    /** Appends the description of the group, which precedes its rows in each file. */
    void describe()
    {
        final ByteBuffer text = ByteBuffer.wrap(description.getBytes(StandardCharsets.UTF_8));
        final ByteBuffer record = ByteBuffer.allocate(1 + Integer.BYTES + text.remaining())
            .order(ByteOrder.LITTLE_ENDIAN).put(RecordKind.GROUP).putInt(number).put(text);
        journal.append(record.array(), 0, record.position());
    }

    /** Name of a group, and names and types of its columns: rows are replayed only into the same. */
    static String description(final String name, final BatchSchema schema, final IntPredicate columns)
    {
        final List<EventProperty> properties = schema.type().properties();
        return IntStream.range(0, properties.size()).filter(columns)
            .mapToObj(i -> '\n' + properties.get(i).name() + ' ' + properties.get(i).type())
            .collect(Collectors.joining("", name, ""));
    }

    @Override
    public EventBatch append(final EventBatch batch, final int[] selection, final int count)
    {
        if (count > 0 && batch.hasSequences() && marks.hasReceived(batch, selection, count))
        {
            final int rest = marks.selectNew(batch, selection, count, newRows);
            return rest > 0 && append(select(batch, newRows, rest)) ? selected : null;
        }
        return append(selection == null || count == 0 ? batch : select(batch, selection, count)) ? batch : null;
    }

    /** The number of the last row of a producer that was appended; any thread may ask, and may see an earlier one. */
    long receivedFrom(final int producer)
    {
        return marks.of(producer);
    }

    /** Raises the numbers of received rows: rows up to these have been processed, here or by another group. */
    void raise(final SequenceMarks sent)
    {
        marks.raise(sent);
    }

    private boolean append(final EventBatch rows)
    {
        try
        {
            buffer.clear();
            if (rows.size() == 0)
            {
                buffer.put(RecordKind.TIME).putInt(number).putLong(rows.baseTimestampNs());
                journal.append(buffer.array(), 0, buffer.position());
                return true;
            }
            if (rows.hasSequences())
            {
                producers.name(rows);
            }
            buffer.put(RecordKind.ROWS).putInt(number);
            buffer = encoder.encode(rows, buffer);
            journal.append(buffer.array(), 0, buffer.position());
            if (rows.hasSequences())
            {
                marks.receive(rows);
            }
            return true;
        }
        catch (final JournalException failure)
        {
            rejection.reject(rows.size(), REJECT_REASON,
                ProcessorErrorCode.NOT_JOURNALED + " cause=" + failure.getMessage());
            return false;
        }
    }

    private EventBatch select(final EventBatch batch, final int[] selection, final int count)
    {
        if (selected == null)
        {
            selected = new EventBatch(schema);
        }
        selected.clear();
        selected.copySelected(batch, selection, 0, 0, count);
        selected.size(count);
        return selected;
    }
}
