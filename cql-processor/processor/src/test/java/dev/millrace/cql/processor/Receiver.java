package dev.millrace.cql.processor;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Stores rows in transactions, with the number of the last row of each producer, as a database does: what is not
 * committed is lost with a kill. Thread-safe.
 */
public final class Receiver
{
    private final List<Received> committed = new ArrayList<>();
    private final Map<String, Long> committedNumbers = new HashMap<>();
    private final List<Received> pending = new ArrayList<>();
    private final Map<String, Long> numbers = new HashMap<>();
    private long dropped;
    private boolean isUnavailable;
    private boolean isEager;
    private Runnable whenAsked = () ->
    {
    };

    /** A row and its producer. */
    private record Received(String producer, TestWiring.Row row)
    {
    }

    synchronized void onBatch(final EventBatch batch)
    {
        for (int row = 0; row < batch.size(); row++)
        {
            final long sequence = batch.hasSequences() ? batch.sequences()[row] : RowSequence.NONE;
            if (sequence == RowSequence.NONE)
            {
                throw new IllegalStateException("a row without number");
            }
            final String producer = Producers.name(RowSequence.producer(sequence));
            final long number = RowSequence.number(sequence);
            final long last = numbers.getOrDefault(producer, 0L);
            if (number <= last)
            {
                dropped++;
                continue;
            }
            if (number != last + 1)
            {
                throw new IllegalStateException("rows are missing, producer=" + producer + " last=" + last +
                    " number=" + number);
            }
            numbers.put(producer, number);
            final List<Object> values = new ArrayList<>();
            for (int column = 0; column < batch.schema().columnCount(); column++)
            {
                values.add(batch.value(column, row));
            }
            pending.add(
                new Received(producer, new TestWiring.Row(values, batch.timestampNs(row), batch.kind(row))));
        }
    }

    /** Commits whenever it is asked for its numbers. */
    public synchronized void isEager(final boolean now)
    {
        isEager = now;
    }

    /** Runs when it is asked for its numbers. */
    public synchronized void whenAsked(final Runnable action)
    {
        whenAsked = action;
    }

    /** Its numbers cannot be read. */
    public synchronized void isUnavailable(final boolean now)
    {
        isUnavailable = now;
    }

    synchronized long receivedFrom(final String producer)
    {
        if (isUnavailable)
        {
            throw new IllegalStateException("the receiver cannot be reached");
        }
        if (isEager)
        {
            commit();
        }
        whenAsked.run();
        return committedNumbers.getOrDefault(producer, 0L);
    }

    public synchronized void commit()
    {
        committed.addAll(pending);
        pending.clear();
        committedNumbers.putAll(numbers);
    }

    /** Rolls the transaction in progress back. */
    public synchronized void kill()
    {
        pending.clear();
        numbers.clear();
        numbers.putAll(committedNumbers);
    }

    public synchronized List<TestWiring.Row> rows()
    {
        return committed.stream().map(Received::row).toList();
    }

    /** The rows of a query, from all producers. */
    public synchronized List<TestWiring.Row> rows(final String queryId)
    {
        return committed.stream().filter(each -> each.producer().endsWith('/' + queryId)).map(Received::row).toList();
    }

    /** Rows that were received again. */
    public synchronized long dropped()
    {
        return dropped;
    }
}
