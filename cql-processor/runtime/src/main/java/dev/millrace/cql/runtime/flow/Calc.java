package dev.millrace.cql.runtime.flow;

/**
 * Columns that are computed of one row; generated. Keeps no state.
 *
 * <p>Threads: the thread of the engine. Failure: {@link RowRejectedException} for a row that cannot be computed.
 */
public abstract class Calc
{
    /** For generated classes. */
    protected Calc()
    {
    }

    /**
     * Computes the output columns.
     *
     * @param in     where the row is
     * @param row    its id
     * @param out    where the result goes
     * @param outRow id of a fresh row, all null
     */
    public abstract void project(RowStore in, int row, RowStore out, int outRow);
}
