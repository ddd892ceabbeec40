package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.SlotInts;

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
    /** 1 + result of each row that is present, by row; {@code null} when rows that leave are computed again. */
    private SlotInts results;

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

    /**
     * Lets a row leave as the very row that entered, for consumers that tell equal rows apart. Each row of the input
     * must enter once and leave once under the same id.
     */
    public void keepResults()
    {
        results = output == null ? null : new SlotInts();
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
        if (results != null && !enters && leaves(row))
        {
            return;
        }
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
        if (results == null || !enters)
        {
            output.give(result, enters);
        }
        else if (output.hasRoom(store(), result, true))
        {
            results.reach(row);
            results.chunk(row)[results.at(row)] = 1 + result;
            delta().add(result, true);
        }
        else
        {
            store().release(result);
        }
    }

    /** Gives the result of a row, with the claim on it; false when none was kept. */
    private boolean leaves(final int row)
    {
        results.reach(row);
        final int kept = results.chunk(row)[results.at(row)];
        if (kept > 0)
        {
            results.chunk(row)[results.at(row)] = 0;
            delta().give(kept - 1, false);
        }
        return kept > 0;
    }
}
