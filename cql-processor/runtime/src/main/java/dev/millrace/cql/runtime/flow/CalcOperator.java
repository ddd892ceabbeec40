package dev.millrace.cql.runtime.flow;

/**
 * Filter and projection. A row that cannot be computed is turned away, when it enters and silently when it leaves.
 *
 * <p>Threads: the engine's.
 */
public final class CalcOperator extends FlowOperator
{
    private final FlowOperator input;
    private final Calc calc;
    private final BoundedOutput output;

    /**
     * Makes an operator.
     *
     * @param input    rows in
     * @param calc     condition and columns
     * @param rows     store of the output; {@code null} when rows are handed on as they are
     */
    public CalcOperator(final FlowOperator input, final Calc calc, final RowStore rows)
    {
        super(rows == null ? input.store() : rows, input);
        this.input = input;
        this.calc = calc;
        output = rows == null ? null : new BoundedOutput(this);
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
        for (int i = 0; i < in.size(); i++)
        {
            try
            {
                pass(in.row(i), in.isPlus(i));
            }
            catch (final RowRejectedException cause)
            {
                if (in.isPlus(i))
                {
                    reject(cause);
                }
            }
        }
    }

    private void pass(final int row, final boolean enters)
    {
        if (!calc.test(input.store(), row))
        {
            return;
        }
        if (output == null)
        {
            delta().add(row, enters);
            return;
        }
        final int result = output.begin();
        boolean isComputed = false;
        try
        {
            calc.project(input.store(), row, store(), result);
            isComputed = true;
        }
        finally
        {
            if (!isComputed)
            {
                store().release(result);
            }
        }
        output.give(result, enters);
    }
}
