package dev.millrace.cql.runtime.unit;

import java.lang.reflect.Array;

/**
 * Columns of a ring: the position of a row does not change, and its index is the position under the mask. Positions
 * wrap around. Stateless.
 */
public final class RingArrays
{
    /** Initial capacity. */
    public static final int FEWEST = 64;

    private RingArrays()
    {
    }

    /**
     * Copies a column to a ring of twice the capacity.
     *
     * @param column array of any type
     * @param head   position of the oldest row
     * @param tail   position of the next row
     * @return new array of the same type
     */
    public static Object grown(final Object column, final int head, final int tail)
    {
        final int capacity = Array.getLength(column);
        final Object larger = Array.newInstance(column.getClass().getComponentType(), capacity * 2);
        int id = head;
        while (id != tail)
        {
            final int from = id & capacity - 1;
            final int to = id & capacity * 2 - 1;
            final int count = Math.min(tail - id, Math.min(capacity - from, capacity * 2 - to));
            System.arraycopy(column, from, larger, to, count);
            id += count;
        }
        return larger;
    }
}
