package dev.millrace.adapter.jdbc;

import dev.millrace.adapter.jdbc.buffer.JdbcErrorCode;
import dev.millrace.adapter.jdbc.buffer.JdbcAdapterException;
import dev.millrace.adapter.jdbc.buffer.SinkSettings;
import dev.millrace.adapter.jdbc.database.DatabaseSession;
import dev.millrace.adapter.jdbc.database.FailureClassifier;
import dev.millrace.adapter.jdbc.database.PositionTable;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;

/**
 * The numbers of the last rows that the sink has accepted, and that it has written, by id of the producer. Numbers
 * of earlier runs are read from the table when a producer is first asked for. Thread-safe.
 */
final class StoredNumbers
{
    private final DataSource source;
    private final SinkSettings settings;
    private final Map<Integer, Long> accepted = new HashMap<>();
    private final Map<Integer, Long> written = new HashMap<>();

    StoredNumbers(final DataSource source, final SinkSettings settings)
    {
        this.source = source;
        this.settings = settings;
    }

    /**
     * The number of the last row of a producer that was written, or that the table has refused.
     *
     * @throws IllegalStateException if the table cannot be read: it is not known then which rows are to be sent
     */
    synchronized long of(final String producer)
    {
        return written.computeIfAbsent(Producers.id(producer), id ->
        {
            try (DatabaseSession session = DatabaseSession.open(source, settings, null))
            {
                final long number = session.position(producer);
                accepted.put(id, number);
                return number;
            }
            catch (final SQLException | JdbcAdapterException e)
            {
                throw new IllegalStateException(JdbcErrorCode.POSITIONS.message(
                    "the numbers of stored rows cannot be read, stage=" + settings.stage() + " positionTable=" +
                    settings.positionTable() + " cause=" +
                    (e instanceof SQLException failure ? FailureClassifier.reason(failure) : e.getMessage()),
                    "start the database, or create the table: " +
                    String.format(PositionTable.DEFINITION, settings.positionTable())), e);
            }
        });
    }

    /**
     * Accepts the rows of a batch that were not accepted before.
     *
     * @return the batch; a copy with these rows; {@code null} if all were accepted before
     */
    synchronized EventBatch accept(final EventBatch batch)
    {
        if (!batch.hasSequences())
        {
            return batch;
        }
        final int[] rows = new int[batch.size()];
        int count = 0;
        for (int row = 0; row < batch.size(); row++)
        {
            final long sequence = batch.sequences()[row];
            final int producer = RowSequence.producer(sequence);
            if (sequence == RowSequence.NONE || RowSequence.number(sequence) > accepted.getOrDefault(producer, 0L))
            {
                rows[count++] = row;
                accepted.put(producer, RowSequence.number(sequence));
            }
        }
        if (count == 0 || count == batch.size())
        {
            return count == 0 ? null : batch;
        }
        final EventBatch rest = new EventBatch(batch.schema());
        rest.copySelected(batch, rows, 0, 0, count);
        rest.size(count);
        return rest;
    }

    /** Rows up to these numbers are done. */
    synchronized void done(final Map<Integer, Long> numbers)
    {
        written.putAll(numbers);
    }
}
