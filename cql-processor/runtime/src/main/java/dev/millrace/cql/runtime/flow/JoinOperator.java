package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.SlotLongs;

/**
 * Join of two relations on equal columns and a further condition; inner or left outer. Null never equals anything. A
 * left row without partner leaves an outer join with nulls.
 *
 * <p>Threads: the engine's.
 */
public final class JoinOperator extends FlowOperator
{
    private final FlowOperator left;
    private final FlowOperator right;
    private final boolean outer;
    private final int[] leftKeys;
    private final int[] rightKeys;
    private final Calc condition;
    private final int rightColumn;
    private final BoundedOutput output;
    private final JoinRows leftRows;
    private final JoinRows rightRows;
    /** Partners of each left entry, for outer joins. */
    private final SlotLongs partners;

    /**
     * Makes an operator.
     *
     * @param left      one side
     * @param right     other side
     * @param outer     whether left rows without partner are kept
     * @param leftKeys  columns of the left
     * @param rightKeys columns of the right, pairwise of one type
     * @param condition over a row of both; {@code null} when there is none
     * @param rows      store of joined rows: columns of the left, then those of the right
     */
    public JoinOperator(final FlowOperator left, final FlowOperator right, final boolean outer, final int[] leftKeys,
        final int[] rightKeys, final Calc condition, final RowStore rows)
    {
        super(rows, left, right);
        this.left = left;
        partners = new SlotLongs(1, rows.memory());
        this.right = right;
        this.outer = outer;
        this.leftKeys = leftKeys.clone();
        this.rightKeys = rightKeys.clone();
        this.condition = condition;
        rightColumn = left.store().layout().columnCount();
        output = new BoundedOutput(this);
        leftRows = new JoinRows(left.store(), leftKeys);
        rightRows = new JoinRows(right.store(), rightKeys);
    }

    @Override
    protected void process(final long nowNs)
    {
        final Delta ofLeft = left.delta();
        for (int i = 0; i < ofLeft.size(); i++)
        {
            if (ofLeft.isPlus(i))
            {
                leftEnters(ofLeft.row(i));
            }
            else
            {
                leftLeaves(ofLeft.row(i));
            }
        }
        final Delta ofRight = right.delta();
        for (int i = 0; i < ofRight.size(); i++)
        {
            rightChanges(ofRight.row(i), ofRight.isPlus(i));
        }
    }

    static boolean hasNull(final RowStore rows, final int row, final int[] columns)
    {
        for (final int column : columns)
        {
            if (rows.isNull(row, column))
            {
                return true;
            }
        }
        return false;
    }

    private void leftEnters(final int row)
    {
        final boolean isAlone = hasNull(left.store(), row, leftKeys);
        final long found = isAlone ? 0 : match(row, true);
        if (!isAlone)
        {
            final int entry = leftRows.add(row);
            partners.reach(entry);
            partners.set(entry, 0, found);
        }
        if (outer && found == 0)
        {
            alone(row, true);
        }
    }

    private void leftLeaves(final int row)
    {
        if (hasNull(left.store(), row, leftKeys))
        {
            if (outer)
            {
                alone(row, false);
            }
            return;
        }
        final int entry = leftRows.leaving(row);
        if (entry == RowIndex.NONE)
        {
            // Turned away when it came, for want of room.
            return;
        }
        match(row, false);
        if (outer && partners.get(entry, 0) == 0)
        {
            alone(row, false);
        }
        leftRows.remove(entry);
    }

    /** Puts out the pairs of a left row; gives their number. */
    private long match(final int row, final boolean enters)
    {
        long found = 0;
        final RowIndex rows = rightRows.byKey();
        int entry = rows.find(left.store(), row, leftKeys);
        while (entry != RowIndex.NONE)
        {
            if (pair(row, rows.row(entry), enters))
            {
                found++;
            }
            entry = rows.findNext(entry);
        }
        return found;
    }

    private void rightChanges(final int row, final boolean enters)
    {
        if (hasNull(right.store(), row, rightKeys))
        {
            return;
        }
        if (!enters)
        {
            final int entry = rightRows.leaving(row);
            if (entry == RowIndex.NONE)
            {
                return;
            }
            rightRows.remove(entry);
        }
        final RowIndex rows = leftRows.byKey();
        int entry = rows.find(right.store(), row, rightKeys);
        while (entry != RowIndex.NONE)
        {
            if (pair(rows.row(entry), row, enters))
            {
                partnerChanges(entry, enters);
            }
            entry = rows.findNext(entry);
        }
        if (enters)
        {
            rightRows.add(row);
        }
    }

    private void partnerChanges(final int entry, final boolean enters)
    {
        final long count = partners.get(entry, 0);
        if (outer && count == (enters ? 0 : 1))
        {
            alone(leftRows.byKey().row(entry), !enters);
        }
        partners.set(entry, 0, count + (enters ? 1 : -1));
    }

    /** Puts a pair out when the condition holds. */
    private boolean pair(final int leftRow, final int rightRow, final boolean enters)
    {
        final int row = output.begin();
        store().copyAll(left.store(), leftRow, row, 0);
        store().copyAll(right.store(), rightRow, row, rightColumn);
        if (!holds(row, enters))
        {
            store().release(row);
            return false;
        }
        output.give(row, enters);
        return true;
    }

    private boolean holds(final int row, final boolean enters)
    {
        try
        {
            return condition == null || condition.test(store(), row);
        }
        catch (final RowRejectedException cause)
        {
            if (enters)
            {
                reject(cause);
            }
            return false;
        }
    }

    private void alone(final int leftRow, final boolean enters)
    {
        final int row = output.begin();
        store().copyAll(left.store(), leftRow, row, 0);
        output.give(row, enters);
    }

    @Override
    public long stateSize()
    {
        return (long)leftRows.size() + rightRows.size();
    }
}
