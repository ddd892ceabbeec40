package dev.millrace.cql.runtime.pattern;

import dev.millrace.cql.runtime.flow.RowStore;

/**
 * Conditions and measures of a pattern; generated. Keeps no state.
 *
 * <p>Threads: the engine's. Failure: {@link dev.millrace.cql.runtime.flow.RowRejectedException} for a row that cannot
 * be computed.
 */
public abstract class PatternKernel
{
    /** For generated classes. */
    protected PatternKernel()
    {
    }

    /**
     * The condition of a variable.
     *
     * @param variable index
     * @param match    the candidate, the row under test already labelled
     * @param rows     where its rows are
     * @return true only when the condition is TRUE
     */
    public abstract boolean test(int variable, MatchView match, RowStore rows);

    /**
     * Computes the measures.
     *
     * @param match  the match
     * @param rows   where its rows are
     * @param out    where the result goes
     * @param outRow fresh row, all null
     */
    public abstract void measures(MatchView match, RowStore rows, RowStore out, int outRow);
}
