package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.Arrays;

/**
 * Output of matches. When only rows of one partition are ordered, and matches are decided in the order of their first
 * rows, rows are emitted at once. When the output is ordered by time, rows pass a reorder buffer: an attempt that
 * becomes complete reserves the next index, and indexes are in order of time. The entry is filled when the match is
 * decided, which is immediate with ALL MATCHES, and cancelled when it is discarded. Rows leave from the front up to the
 * first open entry; those of one instant are ordered by the beginnings of their attempts. An incomplete attempt holds
 * nothing back. Matches that a timer decides (DURATION) arrive by partition and are sorted when they leave. The rows of
 * a match leave together.
 *
 * <p>Confined to the engine thread.
 */
public final class MatchOutput
{
    private static final int FIRST_LENGTH = 64;
    private static final int OPEN = -1;
    private static final int CANCELLED = -2;
    private static final long ROW_BYTES = Integer.BYTES + 2 * Long.BYTES;

    private final MatchRows results;
    private final MatchTarget target;
    private final MemoryAccount memory;
    private final boolean isTimed;
    private final boolean isOrdered;
    /** Row of each entry, {@link #OPEN} or {@link #CANCELLED}. */
    private int[] rows = new int[FIRST_LENGTH];
    private long[] timesNs = new long[FIRST_LENGTH];
    private long[] starts = new long[FIRST_LENGTH];
    private int head;
    private int tail;
    /** Entries of the instant that leaves, in order. */
    private int[] leaving = new int[FIRST_LENGTH];
    /** For timed matches: one nanosecond before the earliest open entry. */
    private long heldNs = Long.MAX_VALUE;

    /**
     * @param results   store of the rows
     * @param target    receives the rows
     * @param isOrdered whether the output is ordered by time
     * @param isTimed   whether entries are not reserved in order of time
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
     * Reserves an entry for a match that ends with the current row.
     *
     * @param timeNs of that row; never decreases unless matches are timed
     * @param start  number of its first row in the stream
     * @return index
     */
    public int reserve(final long timeNs, final long start)
    {
        if (tail - head == rows.length)
        {
            grow();
        }
        final int position = tail++;
        final int at = position & rows.length - 1;
        rows[at] = OPEN;
        timesNs[at] = timeNs;
        starts[at] = start;
        return position;
    }

    private void grow()
    {
        final int[] oldRows = rows;
        final long[] oldTimes = timesNs;
        final long[] oldStarts = starts;
        final int mask = oldRows.length - 1;
        memory.charge(oldRows.length * ROW_BYTES);
        rows = new int[oldRows.length * 2];
        timesNs = new long[rows.length];
        starts = new long[rows.length];
        for (int position = head; position != tail; position++)
        {
            final int at = position & rows.length - 1;
            rows[at] = oldRows[position & mask];
            timesNs[at] = oldTimes[position & mask];
            starts[at] = oldStarts[position & mask];
        }
    }

    /**
     * Fills the entry of a match that is decided.
     *
     * @param position from {@link #reserve}
     * @param row      the first one; the caller's reference is transferred
     */
    public void fill(final int position, final int row)
    {
        rows[position & rows.length - 1] = row;
    }

    /**
     * Emits the rows of a match at once.
     *
     * @param row    the first one; the caller's reference is transferred
     * @param timeNs their time
     */
    public void putOut(final int row, final long timeNs)
    {
        put(row, timeNs);
    }

    /**
     * Cancels an entry.
     *
     * @param position from {@link #reserve}
     */
    public void cancel(final int position)
    {
        rows[position & rows.length - 1] = CANCELLED;
    }

    /**
     * Emits the rows that may leave.
     *
     * @param closedNs no row of this time or before will arrive
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
     * Emits all remaining rows: no further ones will arrive.
     *
     * @param closedNs progress of time
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
        for (int position = head; position != tail && !isLast; position++)
        {
            if (rows[position & mask] == OPEN)
            {
                heldNs = Math.min(heldNs, timesNs[position & mask] - 1);
            }
        }
        // Rows of the same instant as an open entry wait with it.
        final long closedNs = Math.min(timeNs, heldNs);
        int count = 0;
        for (int position = head; position != tail; position++)
        {
            if (timesNs[position & mask] <= closedNs && rows[position & mask] >= 0)
            {
                leave(count++, position);
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

    private void leave(final int index, final int position)
    {
        if (index == leaving.length)
        {
            leaving = Arrays.copyOf(leaving, index * 2);
        }
        leaving[index] = position;
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

    /** Sorts the entries that leave by Shell's method, since they are nearly in order. */
    private void sort(final int count)
    {
        for (int gap = Integer.highestOneBit(count) - 1; gap > 0; gap = (gap + 1) / 2 - 1)
        {
            for (int i = gap; i < count; i++)
            {
                final int position = leaving[i];
                int at = i;
                while (at >= gap && isBefore(position, leaving[at - gap]))
                {
                    leaving[at] = leaving[at - gap];
                    at -= gap;
                }
                leaving[at] = position;
            }
        }
    }

    private boolean isBefore(final int position, final int other)
    {
        final long timeNs = timesNs[position & rows.length - 1];
        final long otherTimeNs = timesNs[other & rows.length - 1];
        if (timeNs != otherTimeNs)
        {
            return timeNs < otherTimeNs;
        }
        final long start = starts[position & rows.length - 1];
        final long otherStart = starts[other & rows.length - 1];
        return start != otherStart ? start < otherStart : position - other < 0;
    }

    /** Number of entries in use. */
    public int size()
    {
        return tail - head;
    }

    /** Writes the entries in use. */
    void write(final StateOutput to)
    {
        to.writeInt(head);
        to.writeInt(tail);
        for (int position = head; position != tail; position++)
        {
            final int at = position & rows.length - 1;
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

    /** Reads the entries in use. */
    void read(final StateInput from)
    {
        head = from.readInt();
        tail = head;
        final int end = from.readInt();
        if (!from.has((long)(end - head) * (2 * Long.BYTES + Integer.BYTES)))
        {
            throw StateInput.senseless("entries=" + (end - head));
        }
        while (tail != end)
        {
            final long timeNs = from.readLong();
            final int position = reserve(timeNs, from.readLong());
            final int row = from.readInt();
            rows[position & rows.length - 1] = row < 0 ? row : results.read(from);
            for (int last = rows[position & rows.length - 1]; row >= 0 && from.readBoolean();)
            {
                final int next = results.read(from);
                results.chain(last, next);
                last = next;
            }
        }
    }
}
