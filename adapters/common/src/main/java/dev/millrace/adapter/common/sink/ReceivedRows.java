package dev.millrace.adapter.common.sink;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
import java.util.HashMap;
import java.util.Map;

/** The numbers of rows that a sink has received, by which it recognizes rows that are sent again. Not thread-safe. */
public final class ReceivedRows
{
    private final boolean isNumbered;
    private final Map<String, Long> received = new HashMap<>();
    private final Map<String, Long> selected = new HashMap<>();

    /** @param isNumbered whether numbers matter; otherwise all rows are new */
    public ReceivedRows(final boolean isNumbered)
    {
        this.isNumbered = isNumbered;
    }

    /** Begins with the numbers that were stored. */
    public void restore(final Map<String, Long> stored)
    {
        received.clear();
        received.putAll(stored);
    }

    /**
     * Selects the rows of a batch that were not received before.
     *
     * @param rows receives their indexes; has room for all
     * @return how many
     */
    public int select(final EventBatch batch, final int[] rows)
    {
        selected.clear();
        int count = 0;
        for (int row = 0; row < batch.size(); row++)
        {
            if (isNew(batch, row))
            {
                rows[count++] = row;
            }
        }
        return count;
    }

    private boolean isNew(final EventBatch batch, final int row)
    {
        final long sequence = isNumbered && batch.hasSequences() ? batch.sequences()[row] : RowSequence.NONE;
        if (sequence == RowSequence.NONE)
        {
            return true;
        }
        final String producer = Producers.name(RowSequence.producer(sequence));
        final long number = RowSequence.number(sequence);
        if (number <= selected.getOrDefault(producer, received.getOrDefault(producer, 0L)))
        {
            return false;
        }
        selected.put(producer, number);
        return true;
    }

    /** Records that the rows selected last were written. */
    public void accept()
    {
        received.putAll(selected);
    }

    /** The number of the last row of each producer. */
    public Map<String, Long> numbers()
    {
        return Map.copyOf(received);
    }
}
