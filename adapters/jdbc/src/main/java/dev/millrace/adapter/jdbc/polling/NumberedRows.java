package dev.millrace.adapter.jdbc.polling;

import dev.millrace.adapter.jdbc.buffer.JdbcErrorCode;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.EventBatchSender;
import java.io.IOException;

/**
 * The batch that a source fills, and the numbers of its rows. The numbers are consecutive; the log contains the
 * position of each. If stages below store numbers, the log is written before a batch is sent: a row that is read again
 * after a restart has the same number then. Otherwise it is written afterwards. Confined to one thread. Failure: after
 * an {@code IOException} of the log, the source begins again with what the log contains.
 */
public final class NumberedRows
{
    private final EventBatchSender sender;
    private final EventBatch batch;
    private final PositionLog log;
    /** 0 if no stage stores numbers. */
    private final int producer;
    private final SourceCounters counters;
    private final String stage;
    private final long[] numbers = new long[EventBatch.CAPACITY];
    private final long[] positions = new long[EventBatch.CAPACITY];
    private final long[] ties = new long[EventBatch.CAPACITY];
    private final long[] timesNs = new long[EventBatch.CAPACITY];
    /** The rows that are repeated have numbers from this one... */
    private long repeat;
    /** ...to this one. */
    private final long repeatEnd;
    /** The number of the next row that is not repeated. */
    private long next;
    private long number;
    private long position;
    private long tie;
    private int row;
    private ResultColumns columns;

    /**
     * @param log      contains the row after which the source continues
     * @param stored   number of that row
     * @param producer id; 0 if no stage stores numbers
     * @param stage    for messages
     */
    public NumberedRows(final EventBatchSender sender, final EventBatch batch, final PositionLog log, final long stored,
        final int producer, final SourceCounters counters, final String stage) throws IOException
    {
        this.sender = sender;
        this.batch = batch;
        this.log = log;
        this.producer = producer;
        this.counters = counters;
        this.stage = stage;
        repeat = stored + 1;
        repeatEnd = log.last();
        next = log.last() + 1;
        position = log.position(stored);
        tie = log.tie(stored);
    }

    /** Begins to receive rows of a session, when none is waiting. */
    void open(final ResultColumns of)
    {
        if (columns != of)
        {
            columns = of;
            clear();
        }
    }

    private void clear()
    {
        row = 0;
        batch.clear();
        columns.clearOthers(batch);
    }

    /** The position of the last row that was read. */
    public long position()
    {
        return position;
    }

    /** The tie of the last row that was read. */
    public long tie()
    {
        return tie;
    }

    EventBatch batch()
    {
        return batch;
    }

    /** The row of the batch to fill. */
    int row()
    {
        return row;
    }

    long[] timesNs()
    {
        return timesNs;
    }

    /**
     * Moves to a row. It is sent if the columns of the batch are filled and {@link #add()} is called.
     *
     * @return false if it is a row that was not sent before among rows that are repeated
     * @throws RowRejectedException if it is not after the row before
     */
    boolean moveTo(final long newPosition, final long newTie) throws RowRejectedException, IOException
    {
        if (PositionSegment.compare(newPosition, newTie, position, tie) <= 0)
        {
            throw new RowRejectedException(RowRejectedException.NOT_INCREASING,
                "the rows must be ordered, and no two may have the same position and tie");
        }
        position = newPosition;
        tie = newTie;
        number = next;
        return repeat > repeatEnd || findRepeated();
    }

    private boolean findRepeated() throws IOException
    {
        int order = -1;
        while (repeat <= repeatEnd && order < 0)
        {
            order = PositionSegment.compare(log.position(repeat), log.tie(repeat), position, tie);
            // Rows that were deleted are passed over.
            repeat += order <= 0 ? 1 : 0;
        }
        if (order == 0)
        {
            number = repeat - 1;
            counters.repeated();
        }
        else if (order > 0)
        {
            counters.skipped();
        }
        return order <= 0;
    }

    /** Adds the row that was filled, and sends the batch if it is full. */
    void add() throws IOException
    {
        numbers[row] = number;
        next += number == next ? 1 : 0;
        positions[row] = position;
        ties[row] = tie;
        row++;
        if (row == EventBatch.CAPACITY)
        {
            flush();
        }
    }

    /** Counts the current row as rejected. */
    void reject(final RowRejectedException cause)
    {
        counters.rejected();
        sender.reject(1, cause.reason(), JdbcErrorCode.SOURCE_ROW.message("a row of the database is not an event, " +
            "stage=" + stage + " after=" + columns.type().text(position) + " reason=" + cause.reason() + ' ' +
            cause.getMessage(), "correct the row or the query; rows after it are not affected"));
    }

    /** Sends the rows that were added. */
    public void flush() throws IOException
    {
        if (row == 0)
        {
            return;
        }
        int known = 0;
        while (known < row && numbers[known] <= log.last())
        {
            known++;
        }
        batch.size(row);
        if (columns.hasTime())
        {
            System.arraycopy(timesNs, 0, batch.useTimestampPerRow(), 0, row);
        }
        if (producer > 0)
        {
            final long[] sequences = batch.useSequences();
            for (int i = 0; i < row; i++)
            {
                sequences[i] = RowSequence.of(producer, numbers[i]);
            }
            log.append(positions, ties, known, row);
        }
        sender.send(batch);
        if (producer == 0)
        {
            log.append(positions, ties, known, row);
        }
        counters.sent(row, columns.type().text(positions[row - 1]));
        clear();
    }
}
