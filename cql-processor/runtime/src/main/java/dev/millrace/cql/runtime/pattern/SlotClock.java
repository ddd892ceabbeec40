package dev.millrace.cql.runtime.pattern;

import dev.millrace.cql.runtime.SlotInts;
import dev.millrace.cql.runtime.SlotLongs;

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

    private static final int ABSENT = -1;
    private static final int TIME = 0;
    private static final int TIE = 1;

    private final SlotInts heap = new SlotInts();
    private int size;
    /** Of each partition: its time and the second number. */
    private final SlotLongs times = new SlotLongs(2);
    private final SlotInts places = new SlotInts(1, ABSENT);

    /** The earliest time. */
    long firstNs()
    {
        return size == 0 ? NEVER : times.get(heap.get(0), TIME);
    }

    /** The second number of the earliest time. */
    long firstTie()
    {
        return times.get(heap.get(0), TIE);
    }

    /** The partition with the earliest time. */
    int firstSlot()
    {
        return heap.get(0);
    }

    /** Sets the time of a partition; {@link #NEVER} takes it out. */
    void set(final int slot, final long timeNs, final long tie)
    {
        if (slot >= places.room())
        {
            if (timeNs == NEVER)
            {
                return;
            }
            times.reach(slot);
            places.reach(slot);
        }
        int place = places.get(slot);
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
            heap.reach(size);
            place = size++;
            put(place, slot);
        }
        else if (times.get(slot, TIME) == timeNs && times.get(slot, TIE) == tie)
        {
            return;
        }
        times.set(slot, TIME, timeNs);
        times.set(slot, TIE, tie);
        sink(rise(place));
    }

    private void remove(final int place)
    {
        places.set(heap.get(place), ABSENT);
        size--;
        if (place < size)
        {
            put(place, heap.get(size));
            sink(rise(place));
        }
    }

    private void put(final int place, final int slot)
    {
        heap.set(place, slot);
        places.set(slot, place);
    }

    private boolean isBefore(final int a, final int b)
    {
        final int slotA = heap.get(a);
        final int slotB = heap.get(b);
        final long timeA = times.get(slotA, TIME);
        final long timeB = times.get(slotB, TIME);
        return timeA < timeB || timeA == timeB && times.get(slotA, TIE) < times.get(slotB, TIE);
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
        final int slot = heap.get(a);
        put(a, heap.get(b));
        put(b, slot);
    }
}
