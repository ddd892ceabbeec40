package dev.millrace.tuning.nexmark;

/** Rows of so many longs each, first in, first out; a row keeps its number while it is inside. Grows. One thread. */
final class RowQueue
{
    private final int width;
    private int mask = (1 << 12) - 1;
    long[] values;
    long head;
    long tail;

    RowQueue(final int width)
    {
        this.width = width;
        values = new long[(mask + 1) * width];
    }

    /** Room for a row at the end: its place in {@link #values}. */
    int add()
    {
        if (tail - head > mask)
        {
            grow();
        }
        return at(tail++);
    }

    int at(final long row)
    {
        return (int)(row & mask) * width;
    }

    boolean isEmpty()
    {
        return head == tail;
    }

    /** First value of the oldest row. */
    long first()
    {
        return values[at(head)];
    }

    private void grow()
    {
        final long[] old = values;
        final int oldMask = mask;
        mask = mask * 2 + 1;
        values = new long[old.length * 2];
        for (long row = head; row < tail; row++)
        {
            System.arraycopy(old, (int)(row & oldMask) * width, values, at(row), width);
        }
    }
}
