package dev.millrace.cql.runtime.flow;

import java.util.Arrays;

/** Rows with times, first in first out. Claims its rows. Threads: the engine's. */
final class TimedQueue
{
    private static final int FIRST_LENGTH = 16;

    private final RowStore store;
    private int[] rows = new int[FIRST_LENGTH];
    private long[] timesNs = new long[FIRST_LENGTH];
    private byte[] marks = new byte[FIRST_LENGTH];
    private int head;
    private int size;

    TimedQueue(final RowStore store)
    {
        this.store = store;
    }

    int size()
    {
        return size;
    }

    boolean isEmpty()
    {
        return size == 0;
    }

    void add(final int row, final long timeNs)
    {
        store.retain(row);
        give(row, timeNs, (byte)0);
    }

    /** Adds a row together with the caller's claim, and a mark of the caller's. */
    void give(final int row, final long timeNs, final byte mark)
    {
        if (size == rows.length)
        {
            grow();
        }
        final int place = head + size & rows.length - 1;
        rows[place] = row;
        timesNs[place] = timeNs;
        marks[place] = mark;
        size++;
    }

    private void grow()
    {
        final int[] oldRows = rows;
        final long[] oldTimes = timesNs;
        rows = Arrays.copyOf(rows, size * 2);
        final byte[] oldMarks = marks;
        timesNs = Arrays.copyOf(timesNs, size * 2);
        marks = Arrays.copyOf(marks, size * 2);
        for (int i = 0; i < size; i++)
        {
            final int from = head + i & oldRows.length - 1;
            rows[i] = oldRows[from];
            timesNs[i] = oldTimes[from];
            marks[i] = oldMarks[from];
        }
        head = 0;
    }

    /** Row of the oldest. */
    int headRow()
    {
        return rows[head];
    }

    /** Time of the oldest. */
    long headNs()
    {
        return timesNs[head];
    }

    /** Mark of the oldest. */
    byte headMark()
    {
        return marks[head];
    }

    int row(final int index)
    {
        return rows[head + index & rows.length - 1];
    }

    long timeNs(final int index)
    {
        return timesNs[head + index & rows.length - 1];
    }

    /** Takes the oldest out; its claim goes to the caller. */
    int poll()
    {
        final int row = rows[head];
        head = head + 1 & rows.length - 1;
        size--;
        return row;
    }
}
