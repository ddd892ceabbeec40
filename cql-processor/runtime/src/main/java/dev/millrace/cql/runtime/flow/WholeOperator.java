package dev.millrace.cql.runtime.flow;

import java.util.Arrays;

/**
 * RStream: the whole relation at every instant at which it changes, in order of entry. Not for relations over
 * {@code [now]}, each row of which gives one row: they are their instant's changes.
 *
 * <p>Threads: the engine's.
 */
public final class WholeOperator extends FlowOperator
{
    private static final int NONE = -1;

    private final FlowOperator input;
    private final Netting netting;
    private final RowIndex rows;
    private int[] next = new int[16];
    private int[] previous = new int[16];
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
            for (int entry = first; entry != NONE; entry = next[entry])
            {
                delta().add(rows.row(entry), true);
            }
        }
    }

    private void append(final int entry)
    {
        if (entry >= next.length)
        {
            next = Arrays.copyOf(next, entry * 2);
            previous = Arrays.copyOf(previous, entry * 2);
        }
        next[entry] = NONE;
        previous[entry] = last;
        if (last == NONE)
        {
            first = entry;
        }
        else
        {
            next[last] = entry;
        }
        last = entry;
    }

    private void drop(final int entry)
    {
        if (entry == RowIndex.NONE)
        {
            return;
        }
        if (previous[entry] == NONE)
        {
            first = next[entry];
        }
        else
        {
            next[previous[entry]] = next[entry];
        }
        if (next[entry] == NONE)
        {
            last = previous[entry];
        }
        else
        {
            previous[next[entry]] = previous[entry];
        }
        rows.remove(entry);
    }

    @Override
    public long stateSize()
    {
        return rows.size();
    }
}
