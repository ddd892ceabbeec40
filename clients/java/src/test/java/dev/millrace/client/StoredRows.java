package dev.millrace.client;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.SequencedSink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Stores rows as text, and the numbers of their streams, as the stages after an adapter do. Thread-safe. */
final class StoredRows implements EventBatchSender
{
    private final BatchSchema schema;
    private final List<String> rows = new ArrayList<>();
    private final Map<String, Long> numbers = new HashMap<>();
    private final Map<String, Integer> rejected = new HashMap<>();
    private final boolean isDurable;
    /** Rows after this number are lost, as in a crash. */
    private long storeUntil = Long.MAX_VALUE;
    /** Numbers that are reported. */
    private long reportUntil = Long.MAX_VALUE;
    private long repeated;
    private boolean isCounting;
    private int counted;

    StoredRows(final EventType type, final boolean isDurable)
    {
        schema = new BatchSchema(type);
        this.isDurable = isDurable;
    }

    @Override
    public BatchSchema schema()
    {
        return schema;
    }

    @Override
    public synchronized void send(final EventBatch batch)
    {
        counted += batch.size();
        for (int row = 0; row < batch.size() && !isCounting; row++)
        {
            if (batch.hasSequences() && !isNew(batch.sequences()[row]))
            {
                continue;
            }
            final StringBuilder text = new StringBuilder();
            for (int column = 0; column < schema.columnCount(); column++)
            {
                text.append(column == 0 ? "" : "|").append(batch.value(column, row));
            }
            rows.add(text.toString());
        }
    }

    private boolean isNew(final long sequence)
    {
        final String producer = Producers.name(RowSequence.producer(sequence));
        final long number = RowSequence.number(sequence);
        final long stored = numbers.getOrDefault(producer, 0L);
        repeated += number <= stored ? 1 : 0;
        if (number <= stored || number > storeUntil)
        {
            return false;
        }
        numbers.put(producer, number);
        return true;
    }

    @Override
    public synchronized long receivedFrom(final String producer)
    {
        return isDurable ? Math.min(reportUntil, numbers.getOrDefault(producer, 0L)) : SequencedSink.NOT_STORED;
    }

    @Override
    public synchronized void reject(final int count, final String reason, final String detail)
    {
        rejected.merge(reason, count, Integer::sum);
    }

    @Override
    public EventBatchSender another()
    {
        return this;
    }

    /** Loses the rows after a number, until it is called again. */
    synchronized void storeUntil(final long number)
    {
        storeUntil = number;
    }

    /** Reports no higher number, until it is called again. */
    synchronized void reportUntil(final long number)
    {
        reportUntil = number;
    }

    /** Number of rows that were received again. */
    synchronized long repeated()
    {
        return repeated;
    }

    synchronized List<String> rows()
    {
        return List.copyOf(rows);
    }

    synchronized int count()
    {
        return isCounting ? counted : rows.size();
    }

    /** Counts further rows and does not store them, so that senders can be measured. */
    synchronized void countOnly()
    {
        isCounting = true;
        counted = 0;
    }

    synchronized Map<String, Integer> rejected()
    {
        return Map.copyOf(rejected);
    }
}
