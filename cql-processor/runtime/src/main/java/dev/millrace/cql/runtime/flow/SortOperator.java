package dev.millrace.cql.runtime.flow;

import java.util.ArrayList;
import java.util.List;

/**
 * ORDER BY: the rows of an instant leave sorted, ties stay in order. Of a relation first those that leave it, then
 * those that enter; rows that enter and leave in one instant are dropped, for they could not leave before they entered.
 *
 * <p>Threads: the engine's.
 */
public final class SortOperator extends FlowOperator
{
    private final FlowOperator input;
    private final RowOrder order;
    private final Netting netting;
    private final List<Integer> sorted = new ArrayList<>();

    /**
     * Makes an operator.
     *
     * @param input stream or relation
     * @param order of its rows
     */
    public SortOperator(final FlowOperator input, final RowOrder order)
    {
        super(input.store(), input);
        this.input = input;
        this.order = order;
        netting = input.isStream() ? null : new Netting(input.store());
    }

    @Override
    public boolean isStream()
    {
        return input.isStream();
    }

    @Override
    protected void process(final long nowNs)
    {
        final Delta in = input.delta();
        if (netting == null)
        {
            sorted.clear();
            for (int i = 0; i < in.size(); i++)
            {
                sorted.add(in.row(i));
            }
            put(true);
            return;
        }
        netting.net(in);
        pass(false);
        pass(true);
    }

    private void pass(final boolean enters)
    {
        sorted.clear();
        for (int i = 0; i < netting.size(); i++)
        {
            if (netting.isPlus(i) == enters)
            {
                sorted.add(netting.row(i));
            }
        }
        put(enters);
    }

    private void put(final boolean enters)
    {
        sorted.sort(order::compare);
        sorted.forEach(row -> delta().add(row, enters));
    }
}
