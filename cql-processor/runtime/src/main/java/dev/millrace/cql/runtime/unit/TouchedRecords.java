package dev.millrace.cql.runtime.unit;

import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.Arrays;

/**
 * Records that have changed in the open instant, with their previous words, so that the old and the new value can be
 * compared at the end of the instant. The stamp of a record specifies whether it is among them.
 *
 * <p>Confined to the engine thread.
 */
public final class TouchedRecords implements StateHolder
{
    private static final int FEWEST = 16;

    /** Ids of the records; replaced when they grow. */
    public int[] ids = new int[FEWEST];
    /** Previous words, one record after another; replaced when they grow. */
    public long[] old;
    /** Number of records. */
    public int count;
    private final int words;

    /**
     * @param words of a record to save
     */
    public TouchedRecords(final int words)
    {
        this.words = words;
        old = new long[FEWEST * words];
    }

    /**
     * Adds a record before its first change in the instant.
     *
     * @param records all of them
     * @param at      first word to save
     */
    public void add(final int id, final long[] records, final int at)
    {
        if (count == ids.length)
        {
            ids = Arrays.copyOf(ids, count * 2);
            old = Arrays.copyOf(old, old.length * 2);
        }
        System.arraycopy(records, at, old, count * words, words);
        ids[count++] = id;
    }

    @Override
    public void write(final StateOutput to)
    {
        to.writeCount(count);
        to.writeInts(ids, 0, count);
        to.writeLongs(old, 0, count * words);
    }

    @Override
    public void read(final StateInput from)
    {
        count = from.readSize(Integer.BYTES + words * Long.BYTES);
        ids = new int[Math.max(FEWEST, count)];
        old = new long[ids.length * words];
        from.readInts(ids, 0, count);
        from.readLongs(old, 0, count * words);
    }
}
