package dev.millrace.cql.runtime.flow;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.cql.runtime.IdleSweep;
import dev.millrace.cql.runtime.SlotInts;
import dev.millrace.cql.runtime.SlotLongs;
import java.util.Arrays;

/**
 * {@code [partition by P rows N [range T [slide D]]]}: the last N rows of each group of equal columns, not older than
 * T. Nulls form a group. O(1) an event.
 *
 * <p>Threads: the engine's. A group is forgotten with its last row.
 */
public final class PartitionWindow extends FlowOperator
{
    private static final int NONE = -1;
    /** Words of a group: its first and its last cell, and how many it has. */
    private static final int HEAD = 0;
    private static final int TAIL = 1;
    private static final int SIZE = 2;
    /** Words of a cell: its row and group, cells after and before it, and the one after it in its group. */
    private static final int ROW = 0;
    private static final int GROUP = 1;
    private static final int NEXT = 2;
    private static final int PREVIOUS = 3;
    private static final int GROUP_NEXT = 4;
    private static final int CELL_WORDS = 5;
    private static final int ENTERED_NS = 0;
    private static final int ARRIVAL = 1;
    private static final int INDEX_BITS = 22;
    private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;

    private final FlowOperator input;
    private final long rows;
    private final long rangeNs;
    private final long slideNs;
    /** One entry a group, by one of its rows. */
    private final RowIndex groups;
    private final SlotInts groupCells;
    /** Forgets groups without rows for a time; {@code null} when they stay as long as the language says. */
    private final IdleSweep idle;
    private long nowNs;
    private final TimedQueue waiting;
    /** Rows inside in order of entry, as cells; those that left early are marked. */
    private final SlotInts cells;
    private final SlotLongs cellTimes;
    private long arrivals;
    /**
     * Rows pushed out in this instant, which are as many as are copied when it grows: arrival and place in the other
     * array.
     */
    private long[] pushed = new long[16];
    private int[] pushedRow = new int[16];
    private int pushedCount;
    private int usedCells;
    private int freeCell = NONE;
    private int oldest = NONE;
    private int youngest = NONE;
    private int size;

    /**
     * Makes a window.
     *
     * @param input       stream
     * @param partitionBy columns
     * @param rows        N
     * @param rangeNs     T, 0 without
     * @param slideNs     D, 0 without
     */
    public PartitionWindow(
        final FlowOperator input, final int[] partitionBy, final long rows, final long rangeNs, final long slideNs)
    {
        this(input, partitionBy, rows, rangeNs, slideNs, 0);
    }

    /**
     * Makes a window that forgets idle groups.
     *
     * @param input       stream
     * @param partitionBy columns
     * @param rows        N
     * @param rangeNs     T, 0 without
     * @param slideNs     D, 0 without
     * @param idleNs      how long a group may be without new rows; 0 for ever, and where there is a T
     */
    public PartitionWindow(final FlowOperator input, final int[] partitionBy, final long rows, final long rangeNs,
        final long slideNs, final long idleNs)
    {
        super(input.store(), input);
        this.input = input;
        this.rows = rows;
        this.rangeNs = rangeNs;
        this.slideNs = slideNs;
        groups = RowIndex.unique(input.store(), partitionBy);
        final MemoryAccount memory = input.store().memory();
        groupCells = new SlotInts(3, 0, memory);
        idle = idleNs > 0 && rangeNs == 0 && partitionBy.length > 0 ? new IdleSweep(idleNs, memory) : null;
        cells = new SlotInts(CELL_WORDS, 0, memory);
        cellTimes = new SlotLongs(2, memory);
        waiting = new TimedQueue(input.store());
    }

    @Override
    protected void process(final long nowNs)
    {
        // What is too old leaves first, then what newer rows push out: this is the order in which they came.
        expire(nowNs);
        this.nowNs = nowNs;
        pushedCount = 0;
        final Delta in = input.delta();
        for (int i = 0; i < in.size(); i++)
        {
            if (slideNs > 0)
            {
                waiting.add(in.row(i), nowNs);
            }
            else
            {
                enter(in.row(i), nowNs);
            }
        }
        while (!waiting.isEmpty() && Ticks.up(waiting.headNs(), slideNs) <= nowNs)
        {
            final long timeNs = waiting.headNs();
            final int row = waiting.poll();
            enter(row, timeNs);
            store().release(row);
        }
        Arrays.sort(pushed, 0, pushedCount);
        for (int i = 0; i < pushedCount; i++)
        {
            delta().give(pushedRow[(int)(pushed[i] & INDEX_MASK)], false);
        }
        expire(nowNs);
        if (idle != null)
        {
            idle.sweep(nowNs, in.size(), this::forget);
        }
        wake();
    }

    /** The rows of a group leave. */
    private void forget(final int group)
    {
        int cell = groupCells.get(group, HEAD);
        while (cell != NONE)
        {
            final int next = cells.get(cell, GROUP_NEXT);
            delta().give(leave(cell), false);
            cell = next;
        }
    }

    @Override
    public long forgottenKeys()
    {
        return idle == null ? 0 : idle.forgotten();
    }

    private void wake()
    {
        final long enterNs = waiting.isEmpty() ? NEVER : Ticks.up(waiting.headNs(), slideNs);
        wakeAt(Math.min(enterNs, oldest == NONE ? NEVER : leavesNs(oldest)));
    }

    /** All rows of a group are of one partition, so that those of a group leave in the order they came. */
    @Override
    protected void forget(final PartitionTest partitions, final int column)
    {
        waiting.take(partitions, column, (row, timeNs, mark) -> store().release(row));
        int cell = oldest;
        while (cell != NONE)
        {
            final int next = cells.get(cell, NEXT);
            if (partitions.test(store(), cells.get(cell, ROW), column))
            {
                delta().give(leave(cell), false);
            }
            cell = next;
        }
        wake();
    }

    private void expire(final long nowNs)
    {
        while (oldest != NONE && leavesNs(oldest) <= nowNs)
        {
            delta().give(leave(oldest), false);
        }
    }

    private void pushOut(final int cell)
    {
        final long arrival = cellTimes.get(cell, ARRIVAL);
        final int row = leave(cell);
        if (pushedCount > INDEX_MASK)
        {
            delta().give(row, false);
            return;
        }
        if (pushedCount == pushed.length)
        {
            pushed = Arrays.copyOf(pushed, pushedCount * 2);
            pushedRow = Arrays.copyOf(pushedRow, pushedCount * 2);
        }
        pushedRow[pushedCount] = row;
        pushed[pushedCount] = arrival << INDEX_BITS | pushedCount;
        pushedCount++;
    }

    private long leavesNs(final int cell)
    {
        if (rangeNs == 0)
        {
            return NEVER;
        }
        final long endNs = Ticks.plus(cellTimes.get(cell, ENTERED_NS), rangeNs);
        return slideNs == 0 || endNs == NEVER ? endNs : Ticks.up(endNs, slideNs);
    }

    private void enter(final int row, final long timeNs)
    {
        int group = groups.find(row);
        if (group == RowIndex.NONE && store().memory().isShort())
        {
            reject(MemoryAccount.MEMORY_FULL, store().memory().shortage());
            return;
        }
        if (group == RowIndex.NONE)
        {
            group = groups.add(row);
            groupCells.reach(group);
            groupCells.set(group, HEAD, NONE);
            groupCells.set(group, TAIL, NONE);
            groupCells.set(group, SIZE, 0);
        }
        if (idle != null)
        {
            idle.touched(group, nowNs);
        }
        final int cell = takeCell();
        store().retain(row);
        cellTimes.set(cell, ENTERED_NS, timeNs);
        cellTimes.set(cell, ARRIVAL, arrivals++);
        append(cell, row, group);
        delta().add(row, true);
        if (groupCells.get(group, SIZE) > rows)
        {
            pushOut(groupCells.get(group, HEAD));
        }
    }

    private void append(final int cell, final int row, final int group)
    {
        final int[] words = cells.chunk(cell);
        final int at = cells.at(cell);
        words[at + ROW] = row;
        words[at + GROUP] = group;
        words[at + GROUP_NEXT] = NONE;
        words[at + NEXT] = NONE;
        words[at + PREVIOUS] = youngest;
        final int[] ends = groupCells.chunk(group);
        final int endsAt = groupCells.at(group);
        final int tail = ends[endsAt + TAIL];
        if (tail == NONE)
        {
            ends[endsAt + HEAD] = cell;
        }
        else
        {
            cells.set(tail, GROUP_NEXT, cell);
        }
        ends[endsAt + TAIL] = cell;
        ends[endsAt + SIZE]++;
        if (youngest == NONE)
        {
            oldest = cell;
        }
        else
        {
            cells.set(youngest, NEXT, cell);
        }
        youngest = cell;
        size++;
    }

    /** Takes the oldest row of a group out, with its claim: rows of one group leave in the order they came. */
    private int leave(final int cell)
    {
        final int[] words = cells.chunk(cell);
        final int at = cells.at(cell);
        unlink(words[at + NEXT], words[at + PREVIOUS]);
        final int group = words[at + GROUP];
        final int next = words[at + GROUP_NEXT];
        words[at + NEXT] = freeCell;
        freeCell = cell;
        final int[] ends = groupCells.chunk(group);
        final int endsAt = groupCells.at(group);
        ends[endsAt + HEAD] = next;
        ends[endsAt + TAIL] = next == NONE ? NONE : ends[endsAt + TAIL];
        if (--ends[endsAt + SIZE] == 0)
        {
            groups.remove(group);
            if (idle != null)
            {
                idle.gone(group);
            }
        }
        return words[at + ROW];
    }

    /** Takes a cell out of the order of entry. */
    private void unlink(final int next, final int previous)
    {
        if (previous == NONE)
        {
            oldest = next;
        }
        else
        {
            cells.set(previous, NEXT, next);
        }
        if (next == NONE)
        {
            youngest = previous;
        }
        else
        {
            cells.set(next, PREVIOUS, previous);
        }
        size--;
    }

    private int takeCell()
    {
        if (freeCell != NONE)
        {
            final int cell = freeCell;
            freeCell = cells.get(cell, NEXT);
            return cell;
        }
        cells.reach(usedCells);
        cellTimes.reach(usedCells);
        return usedCells++;
    }

    @Override
    public long stateSize()
    {
        return (long)waiting.size() + size;
    }
}
