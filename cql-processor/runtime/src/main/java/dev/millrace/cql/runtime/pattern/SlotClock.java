package dev.millrace.cql.runtime.pattern;

import java.util.Arrays;

/**
 * One time for each partition that has set one, and the earliest of all: a binary heap that knows where each partition
 * is in it. Equal times are told apart by a second number.
 *
 * <p>Threads: the engine's.
 */
final class SlotClock
{
    /** No time. */
    static final long NEVER = Long.MAX_VALUE;

    private static final int FIRST_LENGTH = 16;
    private static final int ABSENT = -1;

    private int[] heap = new int[FIRST_LENGTH];
    private int size;
    private long[] timesNs = new long[FIRST_LENGTH];
    private long[] ties = new long[FIRST_LENGTH];
    private int[] places = absent(FIRST_LENGTH);

    private static int[] absent(final int length)
    {
        final int[] places = new int[length];
        Arrays.fill(places, ABSENT);
        return places;
    }

    /** The earliest time. */
    long firstNs()
    {
        return size == 0 ? NEVER : timesNs[heap[0]];
    }

    /** The second number of the earliest time. */
    long firstTie()
    {
        return ties[heap[0]];
    }

    /** The partition with the earliest time. */
    int firstSlot()
    {
        return heap[0];
    }

    /** Sets the time of a partition; {@link #NEVER} takes it out. */
    void set(final int slot, final long timeNs, final long tie)
    {
        if (slot >= places.length)
        {
            if (timeNs == NEVER)
            {
                return;
            }
            final int before = places.length;
            final int length = Math.max(slot + 1, before * 2);
            timesNs = Arrays.copyOf(timesNs, length);
            ties = Arrays.copyOf(ties, length);
            places = Arrays.copyOf(places, length);
            Arrays.fill(places, before, length, ABSENT);
        }
        int place = places[slot];
        if (timeNs == NEVER)
        {
            if (place != ABSENT)
            {
                remove(place);
            }
            return;
        }
        if (place == ABSENT)
        {
            if (size == heap.length)
            {
                heap = Arrays.copyOf(heap, size * 2);
            }
            place = size++;
            heap[place] = slot;
            places[slot] = place;
        }
        else if (timesNs[slot] == timeNs && ties[slot] == tie)
        {
            return;
        }
        timesNs[slot] = timeNs;
        ties[slot] = tie;
        sink(rise(place));
    }

    private void remove(final int place)
    {
        places[heap[place]] = ABSENT;
        size--;
        if (place < size)
        {
            heap[place] = heap[size];
            places[heap[place]] = place;
            sink(rise(place));
        }
    }

    private boolean isBefore(final int a, final int b)
    {
        final long timeA = timesNs[heap[a]];
        final long timeB = timesNs[heap[b]];
        return timeA < timeB || timeA == timeB && ties[heap[a]] < ties[heap[b]];
    }

    private int rise(final int from)
    {
        int place = from;
        while (place > 0 && isBefore(place, (place - 1) / 2))
        {
            swap(place, (place - 1) / 2);
            place = (place - 1) / 2;
        }
        return place;
    }

    private void sink(final int from)
    {
        int place = from;
        int least = least(place);
        while (least != place)
        {
            swap(place, least);
            place = least;
            least = least(place);
        }
    }

    private int least(final int place)
    {
        int least = place;
        for (int child = 2 * place + 1; child <= 2 * place + 2 && child < size; child++)
        {
            if (isBefore(child, least))
            {
                least = child;
            }
        }
        return least;
    }

    private void swap(final int a, final int b)
    {
        final int slot = heap[a];
        heap[a] = heap[b];
        heap[b] = slot;
        places[heap[a]] = a;
        places[heap[b]] = b;
    }
}
