package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.Arrays;

/**
 * Rows of matches on their way out. Where only rows of one partition have an order, and matches are decided in the
 * order of their first rows, they go at once. In the order of times they go through a reorder buffer: an attempt that
 * becomes complete reserves the next place, which is the order of times; the place is filled when the match is
 * decided, which is at once with ALL MATCHES, and cancelled when it is dropped. Rows leave from the front as far as no
 * place is open; those of one instant by the beginnings of their attempts. An attempt that is not complete holds
 * nothing back. Matches that a timer decides (DURATION) come by partition and are sorted when they leave. The rows of a
 * match leave together.
 *
 * <p>Threads: the engine's.
 */
public final class MatchOutput
{
    private static final int FIRST_LENGTH = 64;
    private static final int OPEN = -1;
    private static final int CANCELLED = -2;
    private static final long PLACE_BYTES = Integer.BYTES + 2 * Long.BYTES;

    private final MatchRows results;
    private final MatchTarget target;
    private final MemoryAccount memory;
    private final boolean isTimed;
    private final boolean isOrdered;
    /** Row of each place, {@link #OPEN} or {@link #CANCELLED}. */
    private int[] rows = new int[FIRST_LENGTH];
    private long[] timesNs = new long[FIRST_LENGTH];
    private long[] starts = new long[FIRST_LENGTH];
    private int head;
    private int tail;
    /** Places of the instant that leaves, in order. */
    private int[] leaving = new int[FIRST_LENGTH];
    /** Where matches are timed: before which time none is open. */
    private long heldNs = Long.MAX_VALUE;

    /**
     * Makes an empty buffer.
     *
     * @param results   store of the rows
     * @param target    where they go
     * @param isOrdered whether in the order of their times
     * @param isTimed   whether places do not come in the order of their times
     */
    MatchOutput(final MatchRows results, final MatchTarget target, final boolean isOrdered, final boolean isTimed)
    {
        this.isTimed = isTimed;
        this.results = results;
        memory = results.memory();
        this.target = target;
        this.isOrdered = isOrdered;
    }

    private void put(final int first, final long timeNs)
    {
        int row = first;
        while (row >= 0)
        {
            final int next = results.next(row);
            target.put(row, timeNs);
            row = next;
        }
    }

    /**
     * Reserves a place for a match that ends with the present row.
     *
     * @param timeNs of that row; never decreases unless matches are timed
     * @param start  number of its first row in the stream
     * @return place
     */
    public int reserve(final long timeNs, final long start)
    {
        if (tail - head == rows.length)
        {
            grow();
        }
        final int place = tail++;
        final int at = place & rows.length - 1;
        rows[at] = OPEN;
        timesNs[at] = timeNs;
        starts[at] = start;
        return place;
    }

    private void grow()
    {
        final int[] oldRows = rows;
        final long[] oldTimes = timesNs;
        final long[] oldStarts = starts;
        final int mask = oldRows.length - 1;
        memory.charge(oldRows.length * PLACE_BYTES);
        rows = new int[oldRows.length * 2];
        timesNs = new long[rows.length];
        starts = new long[rows.length];
        for (int place = head; place != tail; place++)
        {
            final int at = place & rows.length - 1;
            rows[at] = oldRows[place & mask];
            timesNs[at] = oldTimes[place & mask];
            starts[at] = oldStarts[place & mask];
        }
    }

    /**
     * Takes the row of a match that is decided.
     *
     * @param place from {@link #reserve}
     * @param row   the first, with the caller's claim
     */
    public void fill(final int place, final int row)
    {
        rows[place & rows.length - 1] = row;
    }

    /**
     * Takes the rows of a match that go at once.
     *
     * @param row    the first, with the caller's claim
     * @param timeNs their time
     */
    public void putOut(final int row, final long timeNs)
    {
        put(row, timeNs);
    }

    /**
     * Gives a place up.
     *
     * @param place from {@link #reserve}
     */
    public void cancel(final int place)
    {
        rows[place & rows.length - 1] = CANCELLED;
    }

    /**
     * Lets rows leave.
     *
     * @param closedNs no row of this time or before will come any more
     */
    public void release(final long closedNs)
    {
        if (isOrdered)
        {
            release(closedNs, false);
        }
        target.close(head == tail ? closedNs : Math.min(closedNs, isTimed ? heldNs :
            timesNs[head & rows.length - 1] - 1));
    }

    /**
     * Lets all rows leave that there are: nothing more will come.
     *
     * @param closedNs how far time has come
     */
    public void finish(final long closedNs)
    {
        if (isOrdered)
        {
            release(closedNs, true);
        }
        target.close(closedNs);
    }

    private void releaseTimed(final long timeNs, final boolean isLast)
    {
        final int mask = rows.length - 1;
        heldNs = Long.MAX_VALUE;
        for (int place = head; place != tail && !isLast; place++)
        {
            if (rows[place & mask] == OPEN)
            {
                heldNs = Math.min(heldNs, timesNs[place & mask] - 1);
            }
        }
        // What is of the same instant as an open one waits with it.
        final long closedNs = Math.min(timeNs, heldNs);
        int count = 0;
        for (int place = head; place != tail; place++)
        {
            if (timesNs[place & mask] <= closedNs && rows[place & mask] >= 0)
            {
                leave(count++, place);
            }
        }
        sort(count);
        for (int i = 0; i < count; i++)
        {
            put(rows[leaving[i] & mask], timesNs[leaving[i] & mask]);
            rows[leaving[i] & mask] = CANCELLED;
        }
        while (head != tail && rows[head & mask] == CANCELLED)
        {
            head++;
        }
    }

    private void leave(final int index, final int place)
    {
        if (index == leaving.length)
        {
            leaving = Arrays.copyOf(leaving, index * 2);
        }
        leaving[index] = place;
    }

    private void release(final long closedNs, final boolean isLast)
    {
        if (isTimed)
        {
            releaseTimed(closedNs, isLast);
            return;
        }
        final int mask = rows.length - 1;
        while (head != tail && timesNs[head & mask] <= closedNs)
        {
            final long timeNs = timesNs[head & mask];
            int count = 0;
            int end = head;
            while (end != tail && timesNs[end & mask] == timeNs)
            {
                final int row = rows[end & mask];
                if (row == OPEN && !isLast)
                {
                    return;
                }
                if (row >= 0)
                {
                    leave(count++, end);
                }
                end++;
            }
            sort(count);
            for (int i = 0; i < count; i++)
            {
                put(rows[leaving[i] & mask], timeNs);
            }
            head = end;
        }
    }

    /** Brings the places that leave into order, by Shell's method: they nearly are. */
    private void sort(final int count)
    {
        for (int gap = Integer.highestOneBit(count) - 1; gap > 0; gap = (gap + 1) / 2 - 1)
        {
            for (int i = gap; i < count; i++)
            {
                final int place = leaving[i];
                int at = i;
                while (at >= gap && isBefore(place, leaving[at - gap]))
                {
                    leaving[at] = leaving[at - gap];
                    at -= gap;
                }
                leaving[at] = place;
            }
        }
    }

    private boolean isBefore(final int place, final int other)
    {
        final long timeNs = timesNs[place & rows.length - 1];
        final long otherTimeNs = timesNs[other & rows.length - 1];
        if (timeNs != otherTimeNs)
        {
            return timeNs < otherTimeNs;
        }
        final long start = starts[place & rows.length - 1];
        final long otherStart = starts[other & rows.length - 1];
        return start != otherStart ? start < otherStart : place - other < 0;
    }

    /**
     * Places in use.
     *
     * @return at least 0
     */
    public int size()
    {
        return tail - head;
    }

    /** Writes the places in use. */
    void write(final StateOutput to)
    {
        to.writeInt(head);
        to.writeInt(tail);
        for (int place = head; place != tail; place++)
        {
            final int at = place & rows.length - 1;
            to.writeLong(timesNs[at]);
            to.writeLong(starts[at]);
            to.writeInt(Math.min(rows[at], 0));
            for (int row = rows[at]; row >= 0; row = results.next(row))
            {
                results.write(to, row);
                to.writeBoolean(results.next(row) >= 0);
            }
        }
    }

    /** Reads the places in use. */
    void read(final StateInput from)
    {
        head = from.readInt();
        tail = head;
        final int end = from.readInt();
        if (!from.has((long)(end - head) * (2 * Long.BYTES + Integer.BYTES)))
        {
            throw StateInput.senseless("places=" + (end - head));
        }
        while (tail != end)
        {
            final long timeNs = from.readLong();
            final int place = reserve(timeNs, from.readLong());
            final int row = from.readInt();
            rows[place & rows.length - 1] = row < 0 ? row : results.read(from);
            for (int last = rows[place & rows.length - 1]; row >= 0 && from.readBoolean();)
            {
                final int next = results.read(from);
                results.chain(last, next);
                last = next;
            }
        }
    }
}
