package dev.millrace.cql.runtime.flow;

/**
 * Join of rows of the present instant with a relation: each row that comes finds its partners and is forgotten, so that
 * later changes of the relation have no effect and nothing leaves. Inner or, seen from the rows that come, outer.
 *
 * <p>Threads: the engine's.
 */
public final class NowJoinOperator extends FlowOperator
{
    private final FlowOperator now;
    private final FlowOperator relation;
    private final boolean outer;
    private final int[] nowKeys;
    private final int[] relationKeys;
    private final Calc condition;
    private final int nowColumn;
    private final int relationColumn;
    private final JoinRows kept;
    private final BoundedOutput output;

    /**
     * Makes an operator.
     *
     * @param now          rows of the instant
     * @param relation     what they are joined with
     * @param nowIsLeft    whether their columns come first
     * @param outer        whether rows without partner are kept
     * @param nowKeys      columns of the rows
     * @param relationKeys columns of the relation, pairwise of one type
     * @param condition    over a row of both; {@code null} when there is none
     * @param rows         store of joined rows
     */
    public NowJoinOperator(final FlowOperator now, final FlowOperator relation, final boolean nowIsLeft,
        final boolean outer, final int[] nowKeys, final int[] relationKeys, final Calc condition, final RowStore rows)
    {
        super(rows, now, relation);
        this.now = now;
        this.relation = relation;
        this.outer = outer;
        this.nowKeys = nowKeys.clone();
        this.relationKeys = relationKeys.clone();
        this.condition = condition;
        nowColumn = nowIsLeft ? 0 : relation.store().layout().columnCount();
        relationColumn = nowIsLeft ? now.store().layout().columnCount() : 0;
        kept = new JoinRows(relation.store(), relationKeys);
        output = new BoundedOutput(this);
    }

    @Override
    public boolean isStream()
    {
        return true;
    }

    @Override
    protected void process(final long nowNs)
    {
        final Delta changes = relation.delta();
        for (int i = 0; i < changes.size(); i++)
        {
            change(changes.row(i), changes.isPlus(i));
        }
        final Delta rows = now.delta();
        for (int i = 0; i < rows.size(); i++)
        {
            final boolean hasPartner = !JoinOperator.hasNull(now.store(), rows.row(i), nowKeys) && pairs(rows.row(i));
            if (outer && !hasPartner)
            {
                final int row = output.begin();
                store().copyAll(now.store(), rows.row(i), row, nowColumn);
                output.give(row, true);
            }
        }
    }

    private void change(final int row, final boolean enters)
    {
        if (JoinOperator.hasNull(relation.store(), row, relationKeys))
        {
            return;
        }
        if (enters)
        {
            kept.add(row);
            return;
        }
        final int entry = kept.leaving(row);
        if (entry != RowIndex.NONE)
        {
            kept.remove(entry);
        }
    }

    private boolean pairs(final int nowRow)
    {
        boolean found = false;
        final RowIndex rows = kept.byKey();
        int entry = rows.find(now.store(), nowRow, nowKeys);
        while (entry != RowIndex.NONE)
        {
            final int row = output.begin();
            store().copyAll(now.store(), nowRow, row, nowColumn);
            store().copyAll(relation.store(), rows.row(entry), row, relationColumn);
            if (holds(row))
            {
                output.give(row, true);
                found = true;
            }
            else
            {
                store().release(row);
            }
            entry = rows.findNext(entry);
        }
        return found;
    }

    private boolean holds(final int row)
    {
        try
        {
            return condition == null || condition.test(store(), row);
        }
        catch (final RowRejectedException cause)
        {
            reject(cause);
            return false;
        }
    }

    @Override
    public long stateSize()
    {
        return kept.size();
    }
}
