package dev.millrace.cql.runtime.unit;

import java.util.Arrays;

/**
 * Sorts the rows of an instant. Rows that are equal in all terms stay in order of arrival.
 *
 * <p>Confined to the engine thread.
 */
public final class RowSorter
{
    private final TermOrder order;
    private int[] sorted = new int[16];
    private int[] merged = new int[16];
    private int size;

    public RowSorter(final TermOrder order)
    {
        this.order = order;
    }

    /**
     * Sorts the rows of an instant that enter, or those that leave.
     *
     * @param rows  netted
     * @param width longs per row
     * @param first index of the first long of the terms
     * @return number of rows
     */
    public int sort(final NetChanges rows, final boolean enters, final int width, final int first)
    {
        size = 0;
        for (int i = rows.next(-1, enters); i >= 0; i = rows.next(i, enters))
        {
            if (size == sorted.length)
            {
                sorted = Arrays.copyOf(sorted, size * 2);
                merged = new int[size * 2];
            }
            sorted[size++] = i;
        }
        for (int length = 1; length < size; length *= 2)
        {
            for (int from = 0; from < size; from += 2 * length)
            {
                merge(rows.words, width, first, from, Math.min(from + length, size));
            }
            final int[] last = sorted;
            sorted = merged;
            merged = last;
        }
        return size;
    }

    /** Merges two adjacent sorted runs. */
    private void merge(final long[] words, final int width, final int first, final int from, final int middle)
    {
        final int to = Math.min(2 * middle - from, size);
        int left = from;
        int right = middle;
        for (int i = from; i < to; i++)
        {
            final boolean isLeft = right >= to || left < middle && order.compare(
                words, sorted[left] * width + first, words, sorted[right] * width + first) <= 0;
            merged[i] = isLeft ? sorted[left++] : sorted[right++];
        }
    }

    /**
     * The row at an index of the sorted order.
     *
     * @param index from 0
     * @return its index among the rows
     */
    public int row(final int index)
    {
        return sorted[index];
    }
}
