package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.SlotInts;

/**
 * RStream: the whole relation at every instant at which it changes, in order of entry. Not for relations over
 * {@code [now]}, each row of which gives one row: they are their instant's changes.
 *
 * <p>Threads: the engine's.
 */
public final class WholeOperator extends FlowOperator
{
    private static final int NONE = -1;
    private static final int NEXT = 0;
    private static final int PREVIOUS = 1;

    private final FlowOperator input;
    private final Netting netting;
    private final RowIndex rows;
    /** Of each row: those after and before it. */
    private final SlotInts links;
    private int first = NONE;
    private int last = NONE;

    /**
     * Makes an operator.
     *
     * @param input relation
     */
    public WholeOperator(final FlowOperator input)
    {
        super(input.store(), input);
        this.input = input;
        links = new SlotInts(2, 0, input.store().memory());
        netting = new Netting(input.store());
        rows = new RowIndex(input.store(), RowIndex.allColumns(input.store()));
    }

    @Override
    public boolean isStream()
    {
        return true;
    }

    @Override
    protected void process(final long nowNs)
    {
        netting.net(input.delta());
        for (int i = 0; i < netting.size(); i++)
        {
            if (netting.isPlus(i))
            {
                append(rows.add(netting.row(i)));
            }
            else
            {
                drop(rows.find(netting.row(i)));
            }
        }
        if (netting.size() > 0)
        {
            for (int entry = first; entry != NONE; entry = links.get(entry, NEXT))
            {
                delta().add(rows.row(entry), true);
            }
        }
    }

    private void append(final int entry)
    {
        links.reach(entry);
        links.set(entry, NEXT, NONE);
        links.set(entry, PREVIOUS, last);
        if (last == NONE)
        {
            first = entry;
        }
        else
        {
            links.set(last, NEXT, entry);
        }
        last = entry;
    }

    private void drop(final int entry)
    {
        if (entry == RowIndex.NONE)
        {
            return;
        }
        final int next = links.get(entry, NEXT);
        final int previous = links.get(entry, PREVIOUS);
        if (previous == NONE)
        {
            first = next;
        }
        else
        {
            links.set(previous, NEXT, next);
        }
        if (next == NONE)
        {
            last = previous;
        }
        else
        {
            links.set(next, PREVIOUS, previous);
        }
        rows.remove(entry);
    }

    @Override
    public long stateSize()
    {
        return rows.size();
    }
}
