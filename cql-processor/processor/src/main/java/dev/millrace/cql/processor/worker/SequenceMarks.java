package dev.millrace.cql.processor.worker;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.Arrays;
import java.util.Map;

/**
 * The highest number that was received from each producer: rows up to it are sent again. Written by one thread at a
 * time; {@link #of} may be called by any thread and may return an earlier number.
 */
public final class SequenceMarks
{
    /** By id of the producer. */
    private volatile long[] numbers = new long[0];

    /** Whether rows of the batch were received before. */
    public boolean hasReceived(final EventBatch batch, final int[] selection, final int count)
    {
        final long[] known = numbers;
        final long[] sequences = batch.sequences();
        boolean any = false;
        for (int i = 0; i < count; i++)
        {
            any |= isReceived(known, sequences[selection == null ? i : selection[i]]);
        }
        return any;
    }

    private static boolean isReceived(final long[] known, final long sequence)
    {
        final int producer = RowSequence.producer(sequence);
        return producer != 0 && producer < known.length && RowSequence.number(sequence) <= known[producer];
    }

    /**
     * Selects the rows that were not received before.
     *
     * @param to receives their numbers in the batch
     * @return how many
     */
    public int selectNew(final EventBatch batch, final int[] selection, final int count, final int[] to)
    {
        int selected = 0;
        for (int i = 0; i < count; i++)
        {
            final int row = selection == null ? i : selection[i];
            if (!isReceived(numbers, batch.sequences()[row]))
            {
                to[selected++] = row;
            }
        }
        return selected;
    }

    /** Remembers the rows of a batch. */
    public void receive(final EventBatch batch)
    {
        long[] known = numbers;
        for (int row = 0; row < batch.size(); row++)
        {
            final long sequence = batch.sequences()[row];
            final int producer = RowSequence.producer(sequence);
            if (producer >= known.length)
            {
                known = Arrays.copyOf(known, producer + 1);
                numbers = known;
            }
            known[producer] = RowSequence.number(sequence);
        }
    }

    /** Raises the numbers to those of others, where these are higher. */
    public void raise(final SequenceMarks others)
    {
        final long[] more = others.numbers;
        final long[] raised = Arrays.copyOf(numbers, Math.max(numbers.length, more.length));
        for (int producer = 0; producer < more.length; producer++)
        {
            raised[producer] = Math.max(raised[producer], more[producer]);
        }
        numbers = raised;
    }

    /** The highest number received from a producer, 0 for none. */
    public long of(final int producer)
    {
        final long[] known = numbers;
        return producer < known.length ? known[producer] : 0;
    }

    /** Adds its numbers to others, by the names of their producers, where they are higher. */
    public void addTo(final Map<String, Long> byName)
    {
        final long[] known = numbers;
        for (int producer = 1; producer < known.length; producer++)
        {
            if (known[producer] > 0)
            {
                byName.merge(Producers.name(producer), known[producer], Math::max);
            }
        }
    }

    /** Writes the numbers, with the names of the producers. */
    public void write(final StateOutput to)
    {
        final long[] known = numbers;
        to.writeCount((int)Arrays.stream(known, Math.min(1, known.length), known.length).filter(each -> each > 0)
            .count());
        for (int producer = 1; producer < known.length; producer++)
        {
            if (known[producer] > 0)
            {
                to.writeString(Producers.name(producer));
                to.writeLong(known[producer]);
            }
        }
    }

    /** Reads numbers that {@link #write} has written. */
    public void read(final StateInput from)
    {
        for (int count = from.readCount(); count > 0; count--)
        {
            final int producer = Producers.id(from.readString());
            final long[] known = Arrays.copyOf(numbers, Math.max(numbers.length, producer + 1));
            known[producer] = from.readLong();
            numbers = known;
        }
    }
}
