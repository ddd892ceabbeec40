package dev.millrace.cql.runtime.flow;

import java.util.ArrayList;
import java.util.List;

/**
 * ORDER BY without ROWS: the rows of an instant leave sorted, those that leave the relation before those that enter;
 * ties stay in order.
 *
 * <p>Threads: the engine's.
 */
public final class SortOperator extends FlowOperator
{
    private final FlowOperator input;
    private final RowOrder order;
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
    }

    @Override
    public boolean isStream()
    {
        return input.isStream();
    }

    @Override
    protected void process(final long nowNs)
    {
        pass(false);
        pass(true);
    }

    private void pass(final boolean enters)
    {
        final Delta in = input.delta();
        sorted.clear();
        for (int i = 0; i < in.size(); i++)
        {
            if (in.isPlus(i) == enters)
            {
                sorted.add(in.row(i));
            }
        }
        sorted.sort(order::compare);
        sorted.forEach(row -> delta().add(row, enters));
    }
}
