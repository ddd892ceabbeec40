package dev.millrace.cql.runtime.flow;

/**
 * Gives the rows of a stream their time as a last column, {@code element_time}.
 *
 * <p>Threads: the engine's.
 */
public final class TimeOperator extends FlowOperator
{
    private final FlowOperator input;
    private final int column;
    private final BoundedOutput output;

    /**
     * Makes an operator.
     *
     * @param input a stream
     * @param rows  store of the output: columns of the input, then a bigint
     */
    public TimeOperator(final FlowOperator input, final RowStore rows)
    {
        super(rows, input);
        this.input = input;
        column = input.store().layout().columnCount();
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
        final Delta in = input.delta();
        for (int i = 0; i < in.size(); i++)
        {
            if (in.isPlus(i))
            {
                final int result = output.begin();
                store().copyAll(input.store(), in.row(i), result, 0);
                store().setLong(result, column, nowNs);
                output.give(result, true);
            }
        }
    }
}
