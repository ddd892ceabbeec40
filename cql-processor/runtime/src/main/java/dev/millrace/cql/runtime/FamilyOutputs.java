package dev.millrace.cql.runtime;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import java.util.Arrays;

/**
 * The rows that the statements of a family put out while one batch is worked on: kept in the order in which they came
 * about, given out statement by statement. Only statements that have rows cost anything.
 *
 * <pre>
 *   add(place) ──► log: time, origin, next row of the place, columns ──► nextOutput() ──► rows of that statement
 * </pre>
 *
 * <p>Threads: confined to one thread. Ownership: {@link #log()} is written and read by the caller until its next call
 * of {@link #add}; all batches of a family lie on the same arrays, since only one is filled at a time.
 */
public final class FamilyOutputs
{
    /** Word of a row: its time. */
    public static final int TIME = 0;
    /** Word of a row: its origin. */
    public static final int ORIGIN = 1;
    /** Word of a row: where the next row of the place begins, -1 for none, and flags above these 32 bits. */
    public static final int LINK = 2;
    /** Words of a row before those of its columns. */
    public static final int FIXED_WORDS = 3;

    private static final int MAX_ROWS = 1 << 14;
    private static final int FIRST_ROWS = 512;
    private static final long LOW = 0xFFFF_FFFFL;

    private final EventBatch[] batches;
    private final EventBatchSink[] sinks;
    private final int[] slotOf;
    /** Outputs of a place: the first, then the next of each output; -1 ends. */
    private final int[] firstOutput;
    private final int[] nextOutput;
    private final int[] first;
    private final int[] last;
    /** A bit an output that has rows, and a bit a word of these that is not zero. */
    private final long[] touched;
    private final long[] summary;
    private final int rowWords;
    private long[] log;
    private int end;

    /**
     * Makes it, empty.
     *
     * @param bindings sinks and shapes of the outputs
     * @param queries  one an output
     * @param keys     place of each output
     */
    public FamilyOutputs(final PipelineBindings bindings, final String[] queries, final FamilyKeys keys)
    {
        final int count = queries.length;
        batches = new EventBatch[count];
        sinks = new EventBatchSink[count];
        slotOf = keys.slots();
        firstOutput = new int[keys.size()];
        nextOutput = new int[count];
        first = new int[keys.size()];
        last = new int[keys.size()];
        Arrays.fill(firstOutput, -1);
        Arrays.fill(first, -1);
        for (int i = count - 1; i >= 0; i--)
        {
            nextOutput[i] = firstOutput[slotOf[i]];
            firstOutput[slotOf[i]] = i;
            sinks[i] = bindings.output(queries[i]);
        }
        for (int i = 0; i < count; i++)
        {
            batches[i] = i == 0 ? new EventBatch(bindings.outputSchema(queries[0])) :
                EventBatch.onArraysOf(batches[0], bindings.outputSchema(queries[i]));
        }
        touched = new long[(count >> 6) + 1];
        summary = new long[(touched.length >> 6) + 1];
        rowWords = FIXED_WORDS + batches[0].schema().columnCount();
        log = new long[rowWords * FIRST_ROWS];
    }

    /**
     * Whether no more rows fit, so that those here must be given out first.
     *
     * @return true when {@link #add} must not be called
     */
    public boolean isFull()
    {
        return end == rowWords * MAX_ROWS;
    }

    /**
     * Adds a row; its words but for the link are the caller's to write.
     *
     * @param slot place
     * @return where the row begins in {@link #log()}
     */
    public int add(final int slot)
    {
        final int at = end;
        end += rowWords;
        if (end > log.length)
        {
            log = Arrays.copyOf(log, log.length * 2);
        }
        log[at + LINK] = LOW;
        if (first[slot] < 0)
        {
            first[slot] = at;
            for (int output = firstOutput[slot]; output >= 0; output = nextOutput[output])
            {
                touched[output >> 6] |= 1L << output;
                summary[output >> 12] |= 1L << (output >> 6);
            }
        }
        else
        {
            log[last[slot] + LINK] = log[last[slot] + LINK] & ~LOW | at;
        }
        last[slot] = at;
        return at;
    }

    /**
     * The words of all rows.
     *
     * @return array that {@link #add} may exchange
     */
    public long[] log()
    {
        return log;
    }

    /**
     * The first output from a number on that has rows.
     *
     * @param from number of an output
     * @return its number, -1 when there is none
     */
    public int nextOutput(final int from)
    {
        if (from >= slotOf.length)
        {
            return -1;
        }
        int word = from >> 6;
        long bits = touched[word] >>> from << from;
        if (bits != 0)
        {
            return (word << 6) + Long.numberOfTrailingZeros(bits);
        }
        word++;
        for (int upper = word >> 6; upper < summary.length; upper++)
        {
            bits = upper == word >> 6 ? summary[upper] >>> word << word : summary[upper];
            if (bits != 0)
            {
                final int found = (upper << 6) + Long.numberOfTrailingZeros(bits);
                return (found << 6) + Long.numberOfTrailingZeros(touched[found]);
            }
        }
        return -1;
    }

    /**
     * Where the first row of an output begins.
     *
     * @param output number of an output that has rows
     * @return place in {@link #log()}
     */
    public int firstRow(final int output)
    {
        return first[slotOf[output]];
    }

    /**
     * The batch of an output, empty.
     *
     * @param output its number
     * @return to be filled, given to its sink and cleared before the next is filled
     */
    public EventBatch batch(final int output)
    {
        return batches[output];
    }

    /**
     * Where the rows of an output go.
     *
     * @param output its number
     * @return sink
     */
    public EventBatchSink sink(final int output)
    {
        return sinks[output];
    }

    /**
     * Number of outputs.
     *
     * @return at least one
     */
    public int count()
    {
        return sinks.length;
    }

    /** Forgets all rows. */
    public void clear()
    {
        for (int upper = 0; upper < summary.length; upper++)
        {
            for (long words = summary[upper]; words != 0; words &= words - 1)
            {
                final int word = (upper << 6) + Long.numberOfTrailingZeros(words);
                for (long bits = touched[word]; bits != 0; bits &= bits - 1)
                {
                    first[slotOf[(word << 6) + Long.numberOfTrailingZeros(bits)]] = -1;
                }
                touched[word] = 0;
            }
            summary[upper] = 0;
        }
        end = 0;
    }
}
