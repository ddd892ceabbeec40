package dev.millrace.cql.runtime.pattern.attempt;

import java.util.Arrays;

/**
 * The labellings that a row produces, by number, so that a labelling which arises in two ways counts once: each is
 * identified by the labelling before the row and by what the row becomes.
 *
 * <p>Confined to the engine thread.
 */
public final class DistinctLabellings
{
    private static final int INITIAL_SLOTS = 64;
    private static final long FACTOR = 0x9E3779B97F4A7C15L;
    private static final int HIGH = 32;

    private long[] before = new long[INITIAL_SLOTS];
    private int[] marks = new int[INITIAL_SLOTS];
    private long[] numbers = new long[INITIAL_SLOTS];
    /** In which row a slot was filled. */
    private long[] rows = new long[INITIAL_SLOTS];
    private long row;
    private int size;
    private long last;

    /** Starts a row. */
    public void begin()
    {
        row++;
        size = 0;
    }

    /**
     * The number of a labelling.
     *
     * @param labelling the one before the row, 0 for none
     * @param mark      what the row becomes in it, at least 0
     * @return the same for the same arguments in this row, otherwise a number that was never assigned
     */
    public long number(final long labelling, final int mark)
    {
        final int slot = slot(labelling, mark);
        return numbers[slot];
    }

    /**
     * Whether this is the first call with these arguments in this row.
     *
     * @param labelling number of a labelling of this row
     * @param what      negative
     */
    public boolean isNew(final long labelling, final int what)
    {
        final long lastBefore = last;
        slot(labelling, what);
        return last != lastBefore;
    }

    /** The number that was assigned last. */
    long last()
    {
        return last;
    }

    /** Continues after a number. */
    void last(final long number)
    {
        last = number;
    }

    private int slot(final long labelling, final int mark)
    {
        if (size * 2 >= before.length)
        {
            grow();
        }
        int slot = hash(labelling, mark) & before.length - 1;
        while (rows[slot] == row)
        {
            if (before[slot] == labelling && marks[slot] == mark)
            {
                return slot;
            }
            slot = slot + 1 & before.length - 1;
        }
        size++;
        fill(slot, labelling, mark, ++last);
        return slot;
    }

    private void fill(final int slot, final long labelling, final int mark, final long number)
    {
        rows[slot] = row;
        before[slot] = labelling;
        marks[slot] = mark;
        numbers[slot] = number;
    }

    private static int hash(final long labelling, final int mark)
    {
        final long product = (labelling * FACTOR + mark) * FACTOR;
        return (int)(product ^ product >>> HIGH);
    }

    private void grow()
    {
        final long[] oldBefore = before;
        final int[] oldMarks = marks;
        final long[] oldNumbers = numbers;
        final long[] oldRows = rows;
        final int length = oldBefore.length * 2;
        before = new long[length];
        marks = new int[length];
        numbers = new long[length];
        rows = new long[length];
        Arrays.fill(rows, -1);
        for (int i = 0; i < oldBefore.length; i++)
        {
            if (oldRows[i] == row)
            {
                int slot = hash(oldBefore[i], oldMarks[i]) & length - 1;
                while (rows[slot] == row)
                {
                    slot = slot + 1 & length - 1;
                }
                fill(slot, oldBefore[i], oldMarks[i], oldNumbers[i]);
            }
        }
    }
}
