package dev.millrace.cql.plan.expression;

import dev.millrace.api.event.CqlType;
import java.util.List;

/**
 * An expression that reads rows of a match. In DEFINE the row under test counts as labeled; masks of variables as in
 * {@link dev.millrace.cql.plan.flow.PatternSpec}.
 */
public sealed interface PatternExpression extends Expression
{
    /** The end from which rows are counted. */
    enum End
    {
        /** From the first labeled row forward. */
        FIRST,
        /** From the last labeled row backward. */
        LAST
    }

    /**
     * A column of a labeled row, or of a row physically before or after it in the partition: {@code V.c} is
     * {@code (V, LAST, 0, 0)}, {@code first(V.c, n)} is {@code (V, FIRST, n, 0)}, {@code prev(V.c, n)} is
     * {@code (V, LAST, 0, n)}, {@code next} has a negative {@code back}.
     *
     * @param variables mask of variables
     * @param end       end from which rows are counted
     * @param offset    number of rows from that end, counting rows labeled with one of the variables
     * @param back      number of rows of the partition before that row
     * @param maxAgeMs  third argument of prev: null when the row is older by more; negative when absent
     * @param running   whether it is evaluated at the current row (RUNNING) instead of the last row (FINAL); this
     *     matters only with ALL ROWS PER MATCH
     * @param column    index in the input row
     */
    record Navigation(long variables, End end, int offset, int back, long maxAgeMs, boolean running, int column,
        CqlType type) implements PatternExpression
    {
        @Override
        public boolean nullable()
        {
            return true;
        }
    }

    /**
     * A column of the row for which a result row is emitted: with ALL ROWS PER MATCH the current row, otherwise the
     * last row of the match; the row at which an empty match was found; an unmatched row.
     *
     * @param column index in the input row
     */
    record RowColumn(int column, CqlType type) implements PatternExpression
    {
        @Override
        public boolean nullable()
        {
            return true;
        }
    }

    /**
     * An aggregate over labeled rows.
     *
     * @param variables mask of variables whose rows count
     * @param function  sum, count, avg, min, max, first, last or another aggregate
     * @param arguments over {@link Expression.Column} and {@link Classifier} of the labeled row and {@link
     *     MatchNumber}; empty for {@code count(V.*)}
     * @param distinct  whether equal arguments count once
     * @param running   as in {@link Navigation}
     * @param type      type of the result
     */
    record Aggregate(long variables, String function, List<Expression> arguments, boolean distinct, boolean running,
        CqlType type) implements PatternExpression
    {
        /** Copies the list. */
        public Aggregate
        {
            arguments = List.copyOf(arguments);
        }

        @Override
        public boolean nullable()
        {
            return !function.equals("count");
        }
    }

    /**
     * Name of the variable with which a row is labeled; null for a row outside the match.
     *
     * @param variables mask
     * @param end       as in {@link Navigation}
     * @param offset    as in {@link Navigation}
     * @param back      as in {@link Navigation}
     * @param maxAgeMs  as in {@link Navigation}
     * @param running   as in {@link Navigation}
     */
    record Classifier(long variables, End end, int offset, int back, long maxAgeMs, boolean running)
        implements PatternExpression
    {
        /** The last row labeled with one of a set of variables. */
        public Classifier(final long variables, final boolean running)
        {
            this(variables, End.LAST, 0, 0, -1, running);
        }

        /** Whether this is the variable of the last row of a set, which requires no navigation to other rows. */
        public boolean isOfLast()
        {
            return end == End.LAST && offset == 0 && back == 0;
        }

        @Override
        public CqlType type()
        {
            return CqlType.CHAR;
        }

        @Override
        public boolean nullable()
        {
            return true;
        }
    }

    /** Number of the match in its partition, starting at 1. */
    record MatchNumber() implements PatternExpression
    {
        @Override
        public CqlType type()
        {
            return CqlType.BIGINT;
        }

        @Override
        public boolean nullable()
        {
            return false;
        }
    }
}
