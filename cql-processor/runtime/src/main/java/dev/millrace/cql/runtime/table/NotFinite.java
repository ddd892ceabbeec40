package dev.millrace.cql.runtime.table;

import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;

/**
 * Counts the non-finite values in each sum of a window. They are counted separately, since they cannot be subtracted
 * from a sum.
 *
 * <p>Confined to one thread.
 */
public final class NotFinite
{
    private static final int NANS = 0;
    private static final int POSITIVES = 1;
    private static final int NEGATIVES = 2;
    private static final int WORDS = 3;

    private final SlotInts counts = new SlotInts(WORDS, 0);
    private boolean any;

    /** Whether there has ever been a non-finite value. */
    public boolean any()
    {
        return any;
    }

    /**
     * Records that a value enters or leaves a sum.
     *
     * @param value not finite
     * @param sign  1 or -1
     */
    public void change(final int slot, final double value, final int sign)
    {
        any = true;
        counts.reach(slot);
        counts.chunk(slot)[counts.at(slot) + (value != value ? NANS : value > 0 ? POSITIVES : NEGATIVES)] += sign;
    }

    /**
     * The value of a sum.
     *
     * @param sum of its finite values
     * @return the same, or the non-finite result
     */
    public double sum(final int slot, final double sum)
    {
        if (slot >= counts.room())
        {
            return sum;
        }
        final boolean hasPositives = counts.get(slot, POSITIVES) > 0;
        final boolean hasNegatives = counts.get(slot, NEGATIVES) > 0;
        if (counts.get(slot, NANS) > 0 || hasPositives && hasNegatives)
        {
            return Double.NaN;
        }
        return hasPositives ? Double.POSITIVE_INFINITY : hasNegatives ? Double.NEGATIVE_INFINITY : sum;
    }

    /** Writes the counts of a sum. */
    public void write(final int slot, final StateOutput to)
    {
        final boolean has = slot < counts.room() && (counts.get(slot, NANS) | counts.get(slot, POSITIVES) |
            counts.get(slot, NEGATIVES)) != 0;
        to.writeBoolean(has);
        if (has)
        {
            to.writeInts(counts.chunk(slot), counts.at(slot), WORDS);
        }
    }

    /** Discards the counts of a sum. */
    public void forget(final int slot)
    {
        for (int word = 0; slot < counts.room() && word < WORDS; word++)
        {
            counts.set(slot, word, 0);
        }
    }

    /** Restores the counts of a sum that has none. */
    public void read(final int slot, final StateInput from)
    {
        if (from.readBoolean())
        {
            any = true;
            counts.reach(slot);
            from.readInts(counts.chunk(slot), counts.at(slot), WORDS);
        }
    }
}
