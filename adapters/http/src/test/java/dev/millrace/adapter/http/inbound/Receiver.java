package dev.millrace.adapter.http.inbound;

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
import java.util.concurrent.CountDownLatch;

/** A stage below a source, which may store the numbers of rows, be slow, or fail. */
public final class Receiver implements EventBatchSender
{
    final List<List<Object>> rows = new ArrayList<>();
    final List<String> rejections = new ArrayList<>();
    final Map<String, Long> numbers = new HashMap<>();
    /** Number of rows after which the process of the source is killed. */
    int killAfter = Integer.MAX_VALUE;
    boolean isStoring;
    /** Whether numbers of rows are not reported, although rows are processed. */
    boolean isUnsure;
    public volatile CountDownLatch gate = new CountDownLatch(0);
    /** Whether the source waits for the gate, with rows that it has taken. */
    volatile boolean isBlocked;
    private final BatchSchema schema;

    /** Ends the thread of the source at once. */
    static final class Killed extends Error
    {
        private static final long serialVersionUID = 1L;
    }

    public Receiver(final EventType type)
    {
        schema = new BatchSchema(type);
    }

    @Override
    public BatchSchema schema()
    {
        return schema;
    }

    @Override
    public void send(final EventBatch batch)
    {
        try
        {
            isBlocked = gate.getCount() > 0;
            gate.await();
            isBlocked = false;
        }
        catch (final InterruptedException e)
        {
            throw new Killed();
        }
        synchronized (this)
        {
            for (int row = 0; row < batch.size(); row++)
            {
                if (rows.size() >= killAfter)
                {
                    throw new Killed();
                }
                add(batch, row);
            }
        }
    }

    private void add(final EventBatch batch, final int row)
    {
        if (isStoring)
        {
            final long sequence = batch.sequences()[row];
            final String producer = Producers.name(RowSequence.producer(sequence));
            final long number = RowSequence.number(sequence);
            if (number <= numbers.getOrDefault(producer, 0L))
            {
                return;
            }
            numbers.put(producer, number);
        }
        final List<Object> values = new ArrayList<>();
        for (int column = 0; column < schema.columnCount(); column++)
        {
            values.add(batch.value(column, row));
        }
        rows.add(values);
    }

    @Override
    public void reject(final int count, final String reason, final String detail)
    {
        synchronized (rejections)
        {
            rejections.add(reason + " " + detail);
        }
    }

    @Override
    public synchronized long receivedFrom(final String producer)
    {
        return !isStoring ? SequencedSink.NOT_STORED : isUnsure ? 0 : numbers.getOrDefault(producer, 0L);
    }

    @Override
    public EventBatchSender another()
    {
        throw new UnsupportedOperationException("the source has one thread");
    }

    public synchronized List<List<Object>> rows()
    {
        return new ArrayList<>(rows);
    }

    public synchronized List<Object> ids()
    {
        return new ArrayList<>(rows.stream().map(row -> row.get(0)).toList());
    }
}
