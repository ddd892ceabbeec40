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

    /**
     * Fills in the columns of the row at hand, for a row without match.
     *
     * @param match  stands on the row
     * @param rows   where it is
     * @param out    where the result goes
     * @param outRow fresh row, all null
     */
    public abstract void unmatched(MatchView match, RowStore rows, RowStore out, int outRow);

    /**
     * Computes an argument of an aggregate that reads the match.
     *
     * @param aggregate number
     * @param index     which of its arguments
     * @param match     the match, {@link MatchView#label()} that of the row
     * @param rows      where its rows are
     * @param row       labelled row
     * @return value, {@code null} when it is null
     */
    public abstract Object argument(int aggregate, int index, MatchView match, RowStore rows, int row);
}
