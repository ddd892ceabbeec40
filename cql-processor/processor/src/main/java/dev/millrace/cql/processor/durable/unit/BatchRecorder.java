package dev.millrace.cql.processor.durable.unit;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.processor.relation.RecordedReplica;
import dev.millrace.cql.processor.worker.BatchLog;
import dev.millrace.cql.processor.worker.SequenceMarks;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.journal.JournalException;
import java.util.List;

/**
 * Appends the batches of a group of pipelines to the journal of the unit that runs them, after the changes of caches
 * that they see. Confined to the thread that acts as the unit's worker.
 *
 * <p>Failure: rows that cannot be appended are rejected and must not be processed. If the disk is full, the thread
 * waits or rows are rejected, as configured, until it has space.
 */
public final class BatchRecorder implements BatchLog
{
    private static final String REJECT_REASON = "not-journaled";

    private final UnitContext unit;
    private final List<RecordedReplica> replicas;
    private final RecordWriter writer;
    private final BatchSchema schema;
    private final RejectionHandler rejection;
    private final SequenceMarks marks;
    private final SpaceWaiter space;
    private final ReceivedKeys keys;
    private final int[] newRows = new int[EventBatch.CAPACITY];
    private EventBatch selected;
    private volatile boolean hasRejected;

    /**
     * @param marks numbers of the rows that the group has received
     * @param keys  of these rows; {@code null} unless the channel has a primary key
     */
    BatchRecorder(final UnitContext unit, final RecordWriter writer, final BatchSchema schema,
        final RejectionHandler rejection, final SequenceMarks marks, final ReceivedKeys keys)
    {
        this.unit = unit;
        this.keys = keys;
        this.writer = writer;
        this.marks = marks;
        this.schema = schema;
        this.rejection = rejection;
        replicas = unit.replicas();
        space = unit.space();
    }

    @Override
    public EventBatch append(final EventBatch batch, final int[] selection, final int count)
    {
        int[] rows = selection;
        int rest = count;
        if (count > 0 && batch.hasSequences() && marks.hasReceived(batch, selection, count))
        {
            rest = marks.selectNew(batch, selection, count, newRows);
            rows = newRows;
        }
        if (keys != null && rest > 0)
        {
            final int valid = keys.select(batch, rows, rest, newRows);
            rows = valid < rest ? newRows : rows;
            rest = valid;
        }
        if (count > 0 && rest == 0)
        {
            return null;
        }
        final EventBatch received = rows == null || count == 0 ? batch : select(batch, rows, rest);
        if (append(received))
        {
            return rows == selection ? batch : received;
        }
        if (keys != null && count > 0)
        {
            keys.undo();
        }
        return null;
    }

    /** The number of the last row of a producer that was appended; any thread may ask, and may see an earlier one. */
    public long receivedFrom(final int producer)
    {
        return marks.of(producer);
    }

    /** Whether rows could not be appended, so that not all rows that were sent here are received. Thread-safe. */
    public boolean hasRejected()
    {
        return hasRejected;
    }

    /** Raises the numbers of received rows: rows up to these have been processed, here or by another group. */
    public void raise(final SequenceMarks sent)
    {
        marks.raise(sent);
    }

    /** Numbers of the rows that the group has received. */
    public SequenceMarks marks()
    {
        return marks;
    }

    /** The keys of these rows; {@code null} unless the channel has a primary key. */
    public ReceivedKeys keys()
    {
        return keys;
    }

    /** Releases its memory: the group has ended. */
    void close()
    {
        if (keys != null)
        {
            keys.close();
        }
    }

    RecordWriter writer()
    {
        return writer;
    }

    private boolean append(final EventBatch rows)
    {
        if (space.hasRejected())
        {
            return rows.size() > 0 && reject(rows.size(), "the processor stops, and earlier rows found no space");
        }
        try
        {
            write(rows);
            return true;
        }
        catch (final JournalException failure)
        {
            return space.waitsAfter(failure) ? appendLater(rows, failure) : reject(rows.size(), failure.getMessage());
        }
        // A cache may be an object of an extension: reading its content may throw anything.
        catch (final RuntimeException failure)
        {
            return reject(rows.size(), failure.toString());
        }
    }

    private boolean appendLater(final EventBatch rows, final JournalException first)
    {
        try
        {
            space.await(() -> write(rows), first);
            return true;
        }
        catch (final JournalException failure)
        {
            return reject(rows.size(), failure.getMessage());
        }
        // As above.
        catch (final RuntimeException failure)
        {
            return reject(rows.size(), failure.toString());
        }
    }

    private void write(final EventBatch rows)
    {
        unit.raised().write();
        if (unit.mark().isRequested())
        {
            unit.mark().write();
        }
        for (int i = 0; i < replicas.size(); i++)
        {
            replicas.get(i).takeChanges();
        }
        if (rows.size() == 0)
        {
            writer.time(rows.baseTimestampNs());
            unit.lookups().beginBatch();
            return;
        }
        if (rows.hasSequences())
        {
            unit.producers().name(rows);
        }
        writer.append(rows);
        unit.lookups().beginBatch();
        if (rows.hasSequences())
        {
            marks.receive(rows);
        }
    }

    private boolean reject(final int count, final String cause)
    {
        hasRejected = true;
        rejection.reject(count, REJECT_REASON, ProcessorErrorCode.NOT_JOURNALED + " cause=" + cause);
        return false;
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
