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
    private static final int FIRST_PLACES = 64;
    private static final long FACTOR = 0x9E3779B97F4A7C15L;
    private static final int HIGH = 32;

    private long[] before = new long[FIRST_PLACES];
    private int[] marks = new int[FIRST_PLACES];
    private long[] numbers = new long[FIRST_PLACES];
    /** In which row a slot was filled. */
    private long[] rows = new long[FIRST_PLACES];
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
        final int place = place(labelling, mark);
        return numbers[place];
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
        place(labelling, what);
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

    private int place(final long labelling, final int mark)
    {
        if (size * 2 >= before.length)
        {
            grow();
        }
        int place = hash(labelling, mark) & before.length - 1;
        while (rows[place] == row)
        {
            if (before[place] == labelling && marks[place] == mark)
            {
                return place;
            }
            place = place + 1 & before.length - 1;
        }
        size++;
        fill(place, labelling, mark, ++last);
        return place;
    }

    private void fill(final int place, final long labelling, final int mark, final long number)
    {
        rows[place] = row;
        before[place] = labelling;
        marks[place] = mark;
        numbers[place] = number;
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
                int place = hash(oldBefore[i], oldMarks[i]) & length - 1;
                while (rows[place] == row)
                {
                    place = place + 1 & length - 1;
                }
                fill(place, oldBefore[i], oldMarks[i], oldNumbers[i]);
            }
        }
    }
}
