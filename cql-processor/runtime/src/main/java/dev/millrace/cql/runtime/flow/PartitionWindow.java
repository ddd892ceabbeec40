package dev.millrace.cql.runtime.flow;

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
    private static final int INDEX_BITS = 22;
    private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;

    private final FlowOperator input;
    private final long rows;
    private final long rangeNs;
    private final long slideNs;
    /** One entry a group, by one of its rows. */
    private final RowIndex groups;
    private int[] groupHead = new int[16];
    private int[] groupTail = new int[16];
    private long[] groupSize = new long[16];
    private final TimedQueue waiting;
    /** Rows inside in order of entry, as cells; those that left early are marked. */
    private int[] cellRow = new int[16];
    private long[] cellNs = new long[16];
    private int[] cellNext = new int[16];
    private int[] cellPrevious = new int[16];
    private int[] cellGroupNext = new int[16];
    private int[] cellGroup = new int[16];
    private long[] cellArrival = new long[16];
    private long arrivals;
    /** Rows pushed out in this instant: arrival and place in the other array. */
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
        super(input.store(), input);
        this.input = input;
        this.rows = rows;
        this.rangeNs = rangeNs;
        this.slideNs = slideNs;
        groups = new RowIndex(input.store(), partitionBy);
        waiting = new TimedQueue(input.store());
    }

    @Override
    protected void process(final long nowNs)
    {
        // What is too old leaves first, then what newer rows push out: this is the order in which they came.
        expire(nowNs);
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
        final long enterNs = waiting.isEmpty() ? NEVER : Ticks.up(waiting.headNs(), slideNs);
        wakeAt(Math.min(enterNs, oldest == NONE ? NEVER : leavesNs(oldest)));
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
        final long arrival = cellArrival[cell];
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
        final long endNs = Ticks.plus(cellNs[cell], rangeNs);
        return slideNs == 0 || endNs == NEVER ? endNs : Ticks.up(endNs, slideNs);
    }

    private void enter(final int row, final long timeNs)
    {
        int group = groups.find(row);
        if (group == RowIndex.NONE)
        {
            group = groups.add(row);
            growGroups(group);
            groupHead[group] = NONE;
            groupTail[group] = NONE;
            groupSize[group] = 0;
        }
        final int cell = takeCell();
        store().retain(row);
        cellRow[cell] = row;
        cellNs[cell] = timeNs;
        cellGroup[cell] = group;
        cellArrival[cell] = arrivals++;
        append(cell, group);
        delta().add(row, true);
        if (groupSize[group] > rows)
        {
            pushOut(groupHead[group]);
        }
    }

    private void append(final int cell, final int group)
    {
        cellGroupNext[cell] = NONE;
        if (groupTail[group] == NONE)
        {
            groupHead[group] = cell;
        }
        else
        {
            cellGroupNext[groupTail[group]] = cell;
        }
        groupTail[group] = cell;
        groupSize[group]++;
        cellNext[cell] = NONE;
        cellPrevious[cell] = youngest;
        if (youngest == NONE)
        {
            oldest = cell;
        }
        else
        {
            cellNext[youngest] = cell;
        }
        youngest = cell;
        size++;
    }

    /** Takes the oldest row of a group out, with its claim: rows of one group leave in the order they came. */
    private int leave(final int cell)
    {
        final int group = cellGroup[cell];
        groupHead[group] = cellGroupNext[cell];
        if (groupHead[group] == NONE)
        {
            groupTail[group] = NONE;
        }
        if (cellPrevious[cell] == NONE)
        {
            oldest = cellNext[cell];
        }
        else
        {
            cellNext[cellPrevious[cell]] = cellNext[cell];
        }
        if (cellNext[cell] == NONE)
        {
            youngest = cellPrevious[cell];
        }
        else
        {
            cellPrevious[cellNext[cell]] = cellPrevious[cell];
        }
        cellNext[cell] = freeCell;
        freeCell = cell;
        size--;
        if (--groupSize[group] == 0)
        {
            groups.remove(group);
        }
        return cellRow[cell];
    }

    private int takeCell()
    {
        if (freeCell != NONE)
        {
            final int cell = freeCell;
            freeCell = cellNext[cell];
            return cell;
        }
        if (usedCells == cellRow.length)
        {
            final int length = usedCells * 2;
            cellRow = Arrays.copyOf(cellRow, length);
            cellNs = Arrays.copyOf(cellNs, length);
            cellNext = Arrays.copyOf(cellNext, length);
            cellPrevious = Arrays.copyOf(cellPrevious, length);
            cellGroupNext = Arrays.copyOf(cellGroupNext, length);
            cellGroup = Arrays.copyOf(cellGroup, length);
            cellArrival = Arrays.copyOf(cellArrival, length);
        }
        return usedCells++;
    }

    private void growGroups(final int group)
    {
        if (group >= groupHead.length)
        {
            final int length = group * 2;
            groupHead = Arrays.copyOf(groupHead, length);
            groupTail = Arrays.copyOf(groupTail, length);
            groupSize = Arrays.copyOf(groupSize, length);
        }
    }

    @Override
    public long stateSize()
    {
        return (long)waiting.size() + size;
    }
}
