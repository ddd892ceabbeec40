package dev.millrace.api.string;

import java.util.Arrays;

/** A growing queue of ints. Not thread-safe. */
final class IntQueue
{
    private int[] items = new int[64];
    private int first;
    private int size;

    int size()
    {
        return size;
    }

    void add(final int item)
    {
        if (size == items.length)
        {
            final int[] longer = Arrays.copyOf(items, size * 2);
            System.arraycopy(items, 0, longer, size, first);
            items = longer;
        }
        items[first + size & items.length - 1] = item;
        size++;
    }

    int poll()
    {
        final int item = items[first];
        first = first + 1 & items.length - 1;
        size--;
        return item;
    }
}
