package dev.millrace.cql.processor.durable.output;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.SequencedSink;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The output of a unit for some queries. It numbers the rows, which are the same ones when the unit replays its input.
 * During a replay it passes on only rows that the stages below have not stored, and none if they store no numbers.
 * Confined to the thread that acts as the unit's worker, and before the first row to the thread that restores the unit.
 */
public final class NumberedOutput implements EventBatchSink
{
    private static final Logger LOG = LoggerFactory.getLogger(NumberedOutput.class);

    private final EventBatchSink sink;
    private final long[] sequences = new long[EventBatch.CAPACITY];
    private String producer;
    private int id;
    /** Number of the last row. */
    private long number;
    /** Rows up to this number are not passed on. */
    private long stored = Long.MAX_VALUE;
    private boolean isNumbered;
    private boolean isOpen;
    /** The number that {@link #open} has raised; 0 if it was right. */
    private long raisedTo;

    public NumberedOutput(final EventBatchSink sink)
    {
        this.sink = sink;
    }

    /** Sets its name and the number of its last row in the snapshot, before a replay. */
    public void restore(final String name, final long last)
    {
        producer = name;
        id = Producers.id(name);
        number = last;
        raisedTo = 0;
    }

    /** The stages below. */
    public EventBatchSink sink()
    {
        return sink;
    }

    public String producer()
    {
        return producer;
    }

    /** The number of the last row; called while no row is in the unit. */
    public long number()
    {
        return number;
    }

    /** The replay begins: the stages below have started. */
    public void beginReplay()
    {
        final long known = receivedFrom();
        isNumbered = known != SequencedSink.NOT_STORED && id != 0;
        stored = isNumbered ? known : Long.MAX_VALUE;
    }

    /** From now on all rows pass. */
    public void open()
    {
        if (isNumbered && number < stored)
        {
            LOG.warn("the stages below have stored rows that are not in the journal, because the machine stopped; " +
                "they may receive some rows twice, producer={} stored={} journaled={}", producer, stored, number);
            number = stored;
            raisedTo = stored;
        }
        isOpen = true;
    }

    /** Whether the stages below had stored rows that are not in the journal. */
    public boolean isRaised()
    {
        return raisedTo != 0;
    }

    /** The number of the last of these rows. */
    public long raisedTo()
    {
        return raisedTo;
    }

    /** Later rows have higher numbers. */
    public void raise(final long to)
    {
        number = Math.max(number, to);
    }

    /** Whether the stages below have stored the rows up to a number, or do not store numbers; thread-safe. */
    public boolean isStored(final long upTo)
    {
        return !isNumbered || receivedFrom() >= upTo;
    }

    private long receivedFrom()
    {
        return sink instanceof SequencedSink receiver ? receiver.receivedFrom(producer) : SequencedSink.NOT_STORED;
    }

    @Override
    public void onBatch(final EventBatch batch) throws EventRejectedException
    {
        final int rows = batch.size();
        number += rows;
        if (!isOpen && (rows == 0 || number <= stored))
        {
            return;
        }
        if (isNumbered)
        {
            final long last = RowSequence.of(id, number);
            for (int row = 0; row < rows; row++)
            {
                sequences[row] = last - rows + 1 + row;
            }
        }
        final long[] before = batch.replaceSequences(isNumbered ? sequences : null);
        try
        {
            sink.onBatch(batch);
        }
        finally
        {
            batch.replaceSequences(before);
        }
    }
}
