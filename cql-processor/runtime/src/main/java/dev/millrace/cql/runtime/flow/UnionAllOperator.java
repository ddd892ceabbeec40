package dev.millrace.cql.runtime.flow;

/**
 * Rows of both sides: UNION ALL. Threads: the engine's.
 */
public final class UnionAllOperator extends FlowOperator
{
    private final FlowOperator[] sides;
    private final BoundedOutput output;

    /**
     * Makes an operator.
     *
     * @param left  left side
     * @param right right side
     * @param rows  store of the result, of the layout of both sides
     */
    public UnionAllOperator(final FlowOperator left, final FlowOperator right, final RowStore rows)
    {
        super(rows, left, right);
        sides = new FlowOperator[]{left, right};
        output = new BoundedOutput(this);
    }

    @Override
    public boolean isStream()
    {
        return sides[0].isStream() && sides[1].isStream();
    }

    @Override
    protected void process(final long nowNs)
    {
        for (final FlowOperator side : sides)
        {
            final Delta in = side.delta();
            for (int i = 0; i < in.size(); i++)
            {
                final int row = output.begin();
                store().copyAll(in.store(), in.row(i), row, 0);
                output.give(row, in.isPlus(i));
            }
        }
    }
}
