package dev.millrace.cql.processor.simulation;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.SequencedSink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A database that stores rows and the number of the last one of each producer in one transaction. A crash of the
 * process rolls the transaction in progress back. Confined to one thread.
 */
final class SimulatedReceiver
{
    private final SimulatedHost host;
    private final Flaw flaw;
    private final Map<String, List<Row>> stored = new TreeMap<>();
    private final Map<String, Long> storedNumbers = new HashMap<>();
    private final Map<String, List<Row>> pending = new TreeMap<>();
    private final Map<String, Long> numbers = new HashMap<>();
    /** By producer, the number of rows that arrived since the records of its unit were written to the disk. */
    private final Map<String, Integer> unsynced = new HashMap<>();
    private final List<String> problems = new ArrayList<>();
    private boolean isUnavailable;

    /** One stored row. */
    record Row(List<Object> values, long timestampNs, byte kind)
    {
        static Row of(final EventBatch batch, final int row)
        {
            final List<Object> values = new ArrayList<>();
            for (int column = 0; column < batch.schema().columnCount(); column++)
            {
                values.add(batch.value(column, row));
            }
            return new Row(values, batch.timestampNs(row), batch.kind(row));
        }

        Row withoutTime()
        {
            return new Row(values, 0, kind);
        }
    }

    SimulatedReceiver(final SimulatedHost host, final Flaw flaw)
    {
        this.host = host;
        this.flaw = flaw;
    }

    /** The sink of a query in the current process. */
    SequencedSink open(final String query)
    {
        final int process = host.process();
        return new SequencedSink()
        {
            @Override
            public long receivedFrom(final String producer)
            {
                if (isUnavailable)
                {
                    throw new IllegalStateException("the receiver cannot be reached");
                }
                return storedNumbers.getOrDefault(producer, 0L);
            }

            @Override
            public void onBatch(final EventBatch batch)
            {
                host.step(process);
                for (int row = 0; row < batch.size(); row++)
                {
                    receive(query, batch, row);
                }
            }
        };
    }

    private void receive(final String query, final EventBatch batch, final int row)
    {
        final long sequence = batch.hasSequences() ? batch.sequences()[row] : RowSequence.NONE;
        if (sequence == RowSequence.NONE)
        {
            problems.add("a row without number, query=" + query);
            return;
        }
        final String producer = Producers.name(RowSequence.producer(sequence));
        final long number = RowSequence.number(sequence);
        final long last = numbers.getOrDefault(producer, storedNumbers.getOrDefault(producer, 0L));
        if (number > last)
        {
            if (number != last + 1)
            {
                problems.add("rows are missing, producer=" + producer + " last=" + last + " number=" + number);
            }
            numbers.put(producer, number);
            pending.computeIfAbsent(query, id -> new ArrayList<>()).add(Row.of(batch, row));
            unsynced.merge(producer, 1, Integer::sum);
        }
    }

    void commit()
    {
        final int process = host.process();
        host.step(process);
        storedNumbers.putAll(numbers);
        if (flaw == Flaw.EARLY_NUMBERS)
        {
            host.step(process);
        }
        pending.forEach((query, rows) -> stored.computeIfAbsent(query, id -> new ArrayList<>()).addAll(rows));
        pending.clear();
        numbers.clear();
        host.step(process);
    }

    /** The connection is lost. */
    void rollBack()
    {
        pending.clear();
        numbers.clear();
    }

    void isUnavailable(final boolean now)
    {
        isUnavailable = now;
    }

    /** All records of a unit so far are on the disk. */
    void synced(final String unit)
    {
        unsynced.keySet().removeIf(producer -> producer.split("/")[1].equals(unit));
    }

    /** All records so far are on the disk. */
    void synced()
    {
        unsynced.clear();
    }

    /** Rows of a query that may arrive again if the machine loses its power now. */
    int unsynced(final String query)
    {
        return unsynced.entrySet().stream().filter(each -> each.getKey().endsWith('/' + query))
            .mapToInt(Map.Entry::getValue).sum();
    }

    List<Row> rows(final String query)
    {
        return stored.getOrDefault(query, List.of());
    }

    List<String> problems()
    {
        return problems;
    }
}
