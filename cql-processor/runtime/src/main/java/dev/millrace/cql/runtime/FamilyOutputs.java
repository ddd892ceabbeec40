package dev.millrace.cql.runtime;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.Texts;
import dev.millrace.api.stage.EventBatchSink;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Where the rows of a family's statements go. Statements with one sink share a lane: their rows lie in one batch in the
 * order in which they come about.
 *
 * <pre>
 *   place ──► first(), next(): its statements ──► lane(), add(): row of its lane ──► nextTouched(): lanes with rows
 * </pre>
 *
 * <p>Whose row it is stands in {@link #log}: rows are counted when they go out, all of a lane in one go.
 *
 * <p>Threads: confined to one thread; {@link #mute} while that thread has no rows in hand. Ownership: the batches are
 * filled by the caller, through the arrays of their columns, and lent to the sinks.
 */
public final class FamilyOutputs
{
    /** No further statement, no further lane. */
    public static final int NONE = -1;

    private final String[] queries;
    private final int firstCounter;
    private final int[] slotOf;
    /** Statements of a place: the first, then the next of each. */
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
    /** A bit a lane that may have rows. */
    private final long[] touched;

    /**
     * Makes it, empty.
     *
     * @param bindings sinks and shapes of the outputs
     * @param queries  one an output
     * @param counter  place of the counter of the first output; those of the others follow
     * @param keys     place of each output
     */
    public FamilyOutputs(final PipelineBindings bindings, final String[] queries, final int counter,
        final FamilyKeys keys)
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
     * The first statement of a place that still puts out rows.
     *
     * @param slot place
     * @return number of an output, or {@link #NONE}
     */
    public int first(final int slot)
    {
        return first[slot];
    }

    /**
     * The next statement of the same place.
     *
     * @param output number of an output
     * @return number of an output, or {@link #NONE}
     */
    public int next(final int output)
    {
        return next[output];
    }

    /**
     * The lane of an output.
     *
     * @param output its number
     * @return number of the lane
     */
    public int lane(final int output)
    {
        return laneOf[output];
    }

    /**
     * Adds a row to the lane of an output; its columns are the caller's to write.
     *
     * @param output number
     * @return row in the arrays of the lane; after the last of a batch the lane must be sent
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
     * Whether there is one lane and no place has more than one statement, so that rows can be added by hand: the
     * columns and {@link #log} of lane 0 written, then {@link #size(int, int)} said once.
     *
     * @return the same for good
     */
    public boolean isPlain()
    {
        return plain;
    }

    /**
     * The output of each row of a lane.
     *
     * @param lane number
     * @return array of the lane
     */
    public int[] log(final int lane)
    {
        return logs[lane];
    }

    /**
     * Rows of a lane.
     *
     * @param lane number
     * @return less than a batch takes
     */
    public int size(final int lane)
    {
        return sizes[lane];
    }

    /**
     * Says how many rows a lane has.
     *
     * @param lane number
     * @param rows all that have been added since it was sent
     */
    public void size(final int lane, final int rows)
    {
        sizes[lane] = rows;
        touched[lane >> 6] |= 1L << lane;
    }

    /**
     * The texts of a char column.
     *
     * @param column index from 0
     * @return one a lane
     */
    public Texts[] texts(final int column)
    {
        return Stream.of(batches).map(batch -> batch.texts(column)).toArray(Texts[]::new);
    }

    /**
     * The arrays of an int column.
     *
     * @param column index from 0
     * @return one a lane
     */
    public int[][] ints(final int column)
    {
        return Stream.of(batches).map(batch -> batch.ints(column)).toArray(int[][]::new);
    }

    /**
     * The arrays of a column of 64-bit whole numbers.
     *
     * @param column index from 0
     * @return one a lane
     */
    public long[][] longs(final int column)
    {
        return Stream.of(batches).map(batch -> batch.longs(column)).toArray(long[][]::new);
    }

    /**
     * The arrays of a float column.
     *
     * @param column index from 0
     * @return one a lane
     */
    public float[][] floats(final int column)
    {
        return Stream.of(batches).map(batch -> batch.floats(column)).toArray(float[][]::new);
    }

    /**
     * The arrays of a double column.
     *
     * @param column index from 0
     * @return one a lane
     */
    public double[][] doubles(final int column)
    {
        return Stream.of(batches).map(batch -> batch.doubles(column)).toArray(double[][]::new);
    }

    /**
     * The arrays of a boolean column.
     *
     * @param column index from 0
     * @return one a lane
     */
    public byte[][] bits(final int column)
    {
        return Stream.of(batches).map(batch -> batch.bits(column)).toArray(byte[][]::new);
    }

    /**
     * The arrays of the times.
     *
     * @return one a lane
     */
    public long[][] times()
    {
        return Stream.of(batches).map(EventBatch::timestampsNs).toArray(long[][]::new);
    }

    /**
     * The batch of a lane, for what few rows have: null flags, kinds and origins.
     *
     * @param lane number
     * @return batch; its size is set when it is sent
     */
    public EventBatch batch(final int lane)
    {
        return batches[lane];
    }

    /** The next lane with rows since it was last asked for, or {@link #NONE}. */
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

    /** Place of the counter of an output. */
    int counter(final int output)
    {
        return firstCounter + output;
    }

    /** Number of lanes. */
    int lanes()
    {
        return sinks.length;
    }

    /** The rows of a lane, which begins anew. */
    EventBatch close(final int lane)
    {
        final EventBatch batch = batches[lane];
        batch.useTimestampPerRow();
        batch.size(sizes[lane]);
        sizes[lane] = 0;
        return batch;
    }

    /** Where a lane leads. */
    EventBatchSink sink(final int lane)
    {
        return sinks[lane];
    }

    /** The queries of a lane, for people. */
    String name(final int lane)
    {
        return names[lane];
    }

    /**
     * A statement puts out no more rows; its state is kept up to date no less.
     *
     * @param query id; without effect when the family has no such query
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
