package dev.millrace.cql.runtime.pattern;

import dev.millrace.cql.runtime.flow.ReplayOperator;
import dev.millrace.cql.runtime.flow.RowStore;
import java.util.Arrays;

/**
 * Rows of matches on their way out: by time, at one time the match with the oldest first row first, then as decided. A
 * row waits as long as an undecided candidate may still give an earlier one.
 *
 * <p>Threads: the engine's. Ownership: claims the rows in it.
 */
final class MatchQueue
{
    private static final int FIRST_LENGTH = 16;

    private final RowStore store;
    private final ReplayOperator target;
    private int[] rows = new int[FIRST_LENGTH];
    private long[] timesNs = new long[FIRST_LENGTH];
    private long[] arrivals = new long[FIRST_LENGTH];
    private long[] numbers = new long[FIRST_LENGTH];
    private int size;
    private long nextNumber;

    MatchQueue(final RowStore store, final ReplayOperator target)
    {
        this.store = store;
        this.target = target;
    }

    int size()
    {
        return size;
    }

    /** Takes a row with the caller's claim. */
    void add(final int row, final long timeNs, final long arrival)
    {
        if (size == rows.length)
        {
            final int length = size * 2;
            rows = Arrays.copyOf(rows, length);
            timesNs = Arrays.copyOf(timesNs, length);
            arrivals = Arrays.copyOf(arrivals, length);
            numbers = Arrays.copyOf(numbers, length);
        }
        int place = size++;
        final long number = nextNumber++;
        while (place > 0 && isBefore(timeNs, arrival, number, (place - 1) / 2))
        {
            move((place - 1) / 2, place);
            place = (place - 1) / 2;
        }
        put(place, row, timeNs, arrival, number);
    }

    private boolean isBefore(final long timeNs, final long arrival, final long number, final int other)
    {
        if (timeNs != timesNs[other])
        {
            return timeNs < timesNs[other];
        }
        return arrival != arrivals[other] ? arrival < arrivals[other] : number < numbers[other];
    }

    private void put(final int place, final int row, final long timeNs, final long arrival, final long number)
    {
        rows[place] = row;
        timesNs[place] = timeNs;
        arrivals[place] = arrival;
        numbers[place] = number;
    }

    private void move(final int from, final int to)
    {
        put(to, rows[from], timesNs[from], arrivals[from], numbers[from]);
    }

    /**
     * Lets rows go.
     *
     * @param untilNs     up to this time
     * @param holdNs      time of the earliest match that is not decided
     * @param holdArrival its first row: at its time those that begin before go before
     */
    void release(final long untilNs, final long holdNs, final long holdArrival)
    {
        while (size > 0 && timesNs[0] <= untilNs &&
            (timesNs[0] < holdNs || timesNs[0] == holdNs && arrivals[0] < holdArrival))
        {
            final int row = rows[0];
            target.put(row, timesNs[0]);
            store.release(row);
            removeFirst();
        }
    }

    /** How far matches are complete: one that is held may still come with the very time that it is held for. */
    static long completeNs(final long closedNs, final long holdNs)
    {
        return holdNs > closedNs ? closedNs : Math.max(holdNs, Long.MIN_VALUE + 1) - 1;
    }

    private void removeFirst()
    {
        size--;
        int place = 0;
        int child = 1;
        while (child < size)
        {
            if (child + 1 < size && isBefore(timesNs[child + 1], arrivals[child + 1], numbers[child + 1], child))
            {
                child++;
            }
            if (isBefore(timesNs[size], arrivals[size], numbers[size], child))
            {
                break;
            }
            move(child, place);
            place = child;
            child = 2 * place + 1;
        }
        if (size > 0)
        {
            move(size, place);
        }
    }
}
