package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.SlotInts;
import dev.millrace.cql.runtime.SlotLongs;

/**
 * {@code [session gap T [partition by P]]}: the rows of each key's open session. A row joins the session of its key
 * when less than T has passed since the session's last row. T after that row all rows of the session leave together.
 * Nulls form a key. O(1) an event.
 *
 * <p>Threads: the engine's. A key without an open session takes no memory.
 */
public final class SessionWindow extends FlowOperator
{
    private static final int NONE = -1;
    /** Words of a session: its first and last cell, and the sessions whose last row came before and after its own. */
    private static final int HEAD = 0;
    private static final int TAIL = 1;
    private static final int BEFORE = 2;
    private static final int AFTER = 3;
    private static final int SESSION_WORDS = 4;
    /** Words of a cell: its row, and the next cell of its session or the next free cell. */
    private static final int ROW = 0;
    private static final int NEXT = 1;
    private static final int CELL_WORDS = 2;

    private final FlowOperator input;
    private final long gapNs;
    private final RowIndex keys;
    private final SlotInts sessions;
    private final SlotLongs lastNs;
    private final SlotInts cells;
    /** Ends of the list of sessions in the order of their last rows. */
    private int oldest = NONE;
    private int youngest = NONE;
    private int freeCell = NONE;
    private int usedCells;
    private int size;

    /**
     * Makes a window.
     *
     * @param input       stream
     * @param partitionBy columns of the key; none puts all rows into one session at a time
     * @param gapNs       T, more than 0
     */
    public SessionWindow(final FlowOperator input, final int[] partitionBy, final long gapNs)
    {
        super(input.store(), input);
        this.input = input;
        sessions = new SlotInts(SESSION_WORDS, 0, input.store().memory());
        lastNs = new SlotLongs(1, input.store().memory());
        cells = new SlotInts(CELL_WORDS, 0, input.store().memory());
        this.gapNs = gapNs;
        keys = RowIndex.unique(input.store(), partitionBy);
    }

    @Override
    protected void process(final long nowNs)
    {
        while (oldest != NONE && endsNs(oldest) <= nowNs)
        {
            close(oldest);
        }
        final Delta in = input.delta();
        for (int i = 0; i < in.size(); i++)
        {
            enter(in.row(i), nowNs);
        }
        wake();
    }

    private void wake()
    {
        wakeAt(oldest == NONE ? NEVER : endsNs(oldest));
    }

    private long endsNs(final int session)
    {
        return Ticks.plus(lastNs.get(session, 0), gapNs);
    }

    private void enter(final int row, final long nowNs)
    {
        int session = keys.find(row);
        if (session == RowIndex.NONE)
        {
            session = open(row);
        }
        else
        {
            unlink(session);
        }
        lastNs.set(session, 0, nowNs);
        link(session);
        append(session, row);
        delta().add(row, true);
    }

    private int open(final int row)
    {
        final int session = keys.add(row);
        sessions.reach(session);
        lastNs.reach(session);
        sessions.set(session, HEAD, NONE);
        sessions.set(session, TAIL, NONE);
        return session;
    }

    private void append(final int session, final int row)
    {
        final int cell = takeCell();
        store().retain(row);
        cells.set(cell, ROW, row);
        cells.set(cell, NEXT, NONE);
        final int tail = sessions.get(session, TAIL);
        if (tail == NONE)
        {
            sessions.set(session, HEAD, cell);
        }
        else
        {
            cells.set(tail, NEXT, cell);
        }
        sessions.set(session, TAIL, cell);
        size++;
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
        return usedCells++;
    }

    private void close(final int session)
    {
        int cell = sessions.get(session, HEAD);
        while (cell != NONE)
        {
            final int next = cells.get(cell, NEXT);
            delta().give(cells.get(cell, ROW), false);
            cells.set(cell, NEXT, freeCell);
            freeCell = cell;
            size--;
            cell = next;
        }
        unlink(session);
        keys.remove(session);
    }

    private void link(final int session)
    {
        sessions.set(session, BEFORE, youngest);
        sessions.set(session, AFTER, NONE);
        if (youngest == NONE)
        {
            oldest = session;
        }
        else
        {
            sessions.set(youngest, AFTER, session);
        }
        youngest = session;
    }

    private void unlink(final int session)
    {
        final int before = sessions.get(session, BEFORE);
        final int after = sessions.get(session, AFTER);
        if (before == NONE)
        {
            oldest = after;
        }
        else
        {
            sessions.set(before, AFTER, after);
        }
        if (after == NONE)
        {
            youngest = before;
        }
        else
        {
            sessions.set(after, BEFORE, before);
        }
    }

    /** All rows of a session are of one partition. */
    @Override
    protected void forget(final PartitionTest partitions, final int column)
    {
        int session = oldest;
        while (session != NONE)
        {
            final int after = sessions.get(session, AFTER);
            if (partitions.test(store(), cells.get(sessions.get(session, HEAD), ROW), column))
            {
                close(session);
            }
            session = after;
        }
        wake();
    }

    @Override
    public long stateSize()
    {
        return size;
    }
}
