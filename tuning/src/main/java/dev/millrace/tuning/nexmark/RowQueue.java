package dev.millrace.tuning.nexmark;

/**
 * Rows of so many longs and strings each, first in, first out; a row keeps its number while it is inside. Grows. One
 * thread.
 */
final class RowQueue
{
    private final int width;
    private final int textWidth;
    private int mask = (1 << 12) - 1;
    long[] values;
    String[] texts;
    long head;
    long tail;

    RowQueue(final int width)
    {
        this(width, 0);
    }

    RowQueue(final int width, final int textWidth)
    {
        this.width = width;
        this.textWidth = textWidth;
        values = new long[(mask + 1) * width];
        texts = new String[(mask + 1) * textWidth];
    }

    /** Adds a row at the end; returns its index in {@link #values}. */
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

    /** Returns the index of the first string of a row in the array of strings. */
    int textAt(final long row)
    {
        return (int)(row & mask) * textWidth;
    }

    boolean isEmpty()
    {
        return head == tail;
    }

    long first()
    {
        return values[at(head)];
    }

    private void grow()
    {
        final long[] old = values;
        final String[] oldTexts = texts;
        final int oldMask = mask;
        mask = mask * 2 + 1;
        values = new long[old.length * 2];
        texts = new String[oldTexts.length * 2];
        for (long row = head; row < tail; row++)
        {
            System.arraycopy(old, (int)(row & oldMask) * width, values, at(row), width);
            System.arraycopy(oldTexts, (int)(row & oldMask) * textWidth, texts, textAt(row), textWidth);
        }
    }
}
