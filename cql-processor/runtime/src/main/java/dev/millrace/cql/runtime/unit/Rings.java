package dev.millrace.cql.runtime.unit;

import java.lang.reflect.Array;

/**
 * Columns of a ring: a position stays that of its row, its place is the position under the mask. Positions wrap round.
 * Keeps no state.
 */
public final class Rings
{
    /** Places of a new ring. */
    public static final int FEWEST = 64;

    private Rings()
    {
    }

    /**
     * A column in a ring of twice the places.
     *
     * @param column array of any type
     * @param head   position of the oldest row
     * @param tail   position of the next row
     * @return new array of the same type
     */
    public static Object grown(final Object column, final int head, final int tail)
    {
        final int places = Array.getLength(column);
        final Object larger = Array.newInstance(column.getClass().getComponentType(), places * 2);
        int id = head;
        while (id != tail)
        {
            final int from = id & places - 1;
            final int to = id & places * 2 - 1;
            final int count = Math.min(tail - id, Math.min(places - from, places * 2 - to));
            System.arraycopy(column, from, larger, to, count);
            id += count;
        }
        return larger;
    }
}
