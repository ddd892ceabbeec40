package dev.millrace.cql.runtime;

import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Collects the output rows of a query template's statements. Statements with the same sink share a lane: their rows are
 * in one batch, in the order in which they are produced.
 *
 * <pre>
 *   key index ──► first(), next(): its statements ──► lane(), add(): row of its lane ──► nextTouched(): lanes with rows
 * </pre>
 *
 * <p>{@link #log} records which statement each row belongs to; rows are counted when their lane is sent.
 *
 * <p>Confined to one thread; {@link #mute} may be called while that thread is not processing rows. Ownership: the
 * caller fills the batches through the arrays of their columns; the batches are lent to the sinks.
 */
public final class TemplateOutputs
{
    /** No further statement or lane. */
    public static final int NONE = -1;

    private final String[] queries;
    private final int firstCounter;
    private final int[] slotOf;
    /** Statements by key index: the first, then the next of each. */
    private final int[] first;
    private final int[] next;
    private final int[] laneOf;
    /** By lane. */
    private final EventBatch[] batches;
    private final EventBatchSink[] sinks;
    private final String[] names;
    private final int[] sizes;
    private final int[][] logs;
    private final boolean plain;
    /** A bit per lane that may have rows. */
    private final long[] touched;

    /**
     * @param bindings sinks and schemas of the outputs
     * @param queries  one per output
     * @param counter  index of the counter of the first output; the others follow
     * @param keys     key index of each output
     */
    public TemplateOutputs(final PipelineBindings bindings, final String[] queries, final int counter,
        final TemplateKeys keys)
    {
        final int count = queries.length;
        this.queries = queries.clone();
        firstCounter = counter;
        slotOf = keys.slots();
        first = new int[keys.size()];
        next = new int[count];
        laneOf = new int[count];
        Arrays.fill(first, NONE);
        final Map<EventBatchSink, Integer> lanes = new IdentityHashMap<>();
        for (int i = count - 1; i >= 0; i--)
        {
            next[i] = first[slotOf[i]];
            first[slotOf[i]] = i;
        }
        for (int i = 0; i < count; i++)
        {
            laneOf[i] = lanes.computeIfAbsent(bindings.output(queries[i]), sink -> lanes.size());
        }
        batches = new EventBatch[lanes.size()];
        sinks = new EventBatchSink[lanes.size()];
        names = new String[lanes.size()];
        for (int i = count - 1; i >= 0; i--)
        {
            names[laneOf[i]] = names[laneOf[i]] == null ? queries[i] : queries[i] + " or others";
        }
        lanes.forEach((sink, lane) -> sinks[lane] = sink);
        for (int i = 0; i < count; i++)
        {
            final int lane = laneOf[i];
            batches[lane] = batches[lane] == null ? new EventBatch(bindings.outputSchema(queries[i])) : batches[lane];
        }
        sizes = new int[lanes.size()];
        logs = new int[lanes.size()][EventBatch.CAPACITY];
        plain = lanes.size() == 1 && count == keys.size();
        touched = new long[(lanes.size() >> 6) + 1];
    }

    /**
     * The first statement of a key index that is not muted.
     *
     * @return index of an output, or {@link #NONE}
     */
    public int first(final int slot)
    {
        return first[slot];
    }

    /**
     * The next statement of the same key index.
     *
     * @return index of an output, or {@link #NONE}
     */
    public int next(final int output)
    {
        return next[output];
    }

    public int lane(final int output)
    {
        return laneOf[output];
    }

    /**
     * Adds a row to the lane of an output; the caller writes its columns.
     *
     * @return row in the arrays of the lane; when it is the last one of a batch, the caller must send the lane
     */
    public int add(final int output)
    {
        final int lane = laneOf[output];
        final int row = sizes[lane];
        logs[lane][row] = output;
        size(lane, row + 1);
        return row;
    }

    /**
     * Whether there is one lane and every key index has at most one statement. The caller may then write the columns
     * and {@link #log} of lane 0 directly and call {@link #size(int, int)} once.
     *
     * @return never changes
     */
    public boolean isPlain()
    {
        return plain;
    }

    /** The output of each row of a lane; the array itself. */
    public int[] log(final int lane)
    {
        return logs[lane];
    }

    /** Rows of a lane, fewer than a batch can hold. */
    public int size(final int lane)
    {
        return sizes[lane];
    }

    /**
     * Sets the number of rows of a lane.
     *
     * @param rows all rows that were added since the lane was last sent
     */
    public void size(final int lane, final int rows)
    {
        sizes[lane] = rows;
        touched[lane >> 6] |= 1L << lane;
    }

    /** A char column, by lane. */
    public CharColumn[] strings(final int column)
    {
        return Stream.of(batches).map(batch -> batch.texts(column)).toArray(CharColumn[]::new);
    }

    /** The arrays of an int column, by lane. */
    public int[][] ints(final int column)
    {
        return Stream.of(batches).map(batch -> batch.ints(column)).toArray(int[][]::new);
    }

    /** The arrays of a column of 64-bit integers, by lane. */
    public long[][] longs(final int column)
    {
        return Stream.of(batches).map(batch -> batch.longs(column)).toArray(long[][]::new);
    }

    /** The arrays of a float column, by lane. */
    public float[][] floats(final int column)
    {
        return Stream.of(batches).map(batch -> batch.floats(column)).toArray(float[][]::new);
    }

    /** The arrays of a double column, by lane. */
    public double[][] doubles(final int column)
    {
        return Stream.of(batches).map(batch -> batch.doubles(column)).toArray(double[][]::new);
    }

    /** The arrays of a boolean column, by lane. */
    public byte[][] bits(final int column)
    {
        return Stream.of(batches).map(batch -> batch.bits(column)).toArray(byte[][]::new);
    }

    /** The arrays of the timestamps, by lane. */
    public long[][] times()
    {
        return Stream.of(batches).map(EventBatch::timestampsNs).toArray(long[][]::new);
    }

    /**
     * The batch of a lane, for values that few rows have: null flags, kinds and origins. Its size is set when it is
     * sent.
     */
    public EventBatch batch(final int lane)
    {
        return batches[lane];
    }

    /** The next lane that has received rows since this method last returned it, or {@link #NONE}. */
    int nextTouched()
    {
        for (int word = 0; word < touched.length; word++)
        {
            while (touched[word] != 0)
            {
                final int lane = (word << 6) + Long.numberOfTrailingZeros(touched[word]);
                touched[word] &= touched[word] - 1;
                if (sizes[lane] > 0)
                {
                    return lane;
                }
            }
        }
        return NONE;
    }

    /** Index of the counter of an output. */
    int counter(final int output)
    {
        return firstCounter + output;
    }

    int lanes()
    {
        return sinks.length;
    }

    /** Returns the rows of a lane and empties the lane. */
    EventBatch close(final int lane)
    {
        final EventBatch batch = batches[lane];
        batch.useTimestampPerRow();
        batch.size(sizes[lane]);
        sizes[lane] = 0;
        return batch;
    }

    EventBatchSink sink(final int lane)
    {
        return sinks[lane];
    }

    /** The queries of a lane, for messages. */
    String name(final int lane)
    {
        return names[lane];
    }

    /**
     * Stops the output of a statement; its state is still updated.
     *
     * @param query id; ignored when no statement has it
     */
    public void mute(final String query)
    {
        for (int output = 0; output < queries.length; output++)
        {
            if (queries[output].equals(query))
            {
                unlink(output);
            }
        }
    }

    private void unlink(final int output)
    {
        final int slot = slotOf[output];
        if (first[slot] == output)
        {
            first[slot] = next[output];
            return;
        }
        for (int each = first[slot]; each != NONE; each = next[each])
        {
            if (next[each] == output)
            {
                next[each] = next[output];
            }
        }
    }
}
