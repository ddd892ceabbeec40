package dev.millrace.cql.runtime.pattern;

import dev.millrace.cql.runtime.SlotLongs;
import dev.millrace.cql.runtime.flow.ReplayOperator;
import dev.millrace.cql.runtime.flow.RowStore;

/**
 * Rows of matches on their way out: by time, at one time the match with the oldest first row first, then as decided. A
 * row waits as long as an undecided candidate may still give an earlier one, unless only rows of one partition have an
 * order: then what is decided goes at once.
 *
 * <p>Threads: the engine's. Ownership: claims the rows in it.
 */
final class MatchQueue
{
    private static final int TIME = 0;
    private static final int ARRIVAL = 1;
    private static final int NUMBER = 2;
    private static final int ROW = 3;
    private static final int WORDS = 4;

    private final RowStore store;
    private final ReplayOperator target;
    /** A heap. */
    private final SlotLongs heap = new SlotLongs(WORDS);
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
        heap.reach(size);
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
        final long[] words = heap.chunk(other);
        final int at = heap.at(other);
        if (timeNs != words[at + TIME])
        {
            return timeNs < words[at + TIME];
        }
        return arrival != words[at + ARRIVAL] ? arrival < words[at + ARRIVAL] : number < words[at + NUMBER];
    }

    private boolean isBefore(final int place, final int other)
    {
        return isBefore(heap.get(place, TIME), heap.get(place, ARRIVAL), heap.get(place, NUMBER), other);
    }

    private void put(final int place, final int row, final long timeNs, final long arrival, final long number)
    {
        final long[] words = heap.chunk(place);
        final int at = heap.at(place);
        words[at + TIME] = timeNs;
        words[at + ARRIVAL] = arrival;
        words[at + NUMBER] = number;
        words[at + ROW] = row;
    }

    private void move(final int from, final int to)
    {
        System.arraycopy(heap.chunk(from), heap.at(from), heap.chunk(to), heap.at(to), WORDS);
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
        while (size > 0 && heap.get(0, TIME) <= untilNs && (!target.isTimeOrdered() || heap.get(0, TIME) < holdNs ||
            heap.get(0, TIME) == holdNs && heap.get(0, ARRIVAL) < holdArrival))
        {
            final int row = (int)heap.get(0, ROW);
            target.put(row, heap.get(0, TIME));
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
            if (child + 1 < size && isBefore(child + 1, child))
            {
                child++;
            }
            if (isBefore(size, child))
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
