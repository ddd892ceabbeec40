package dev.millrace.cql.plan;

import dev.millrace.api.event.CqlType;
import java.util.List;

/**
 * What an expression of a pattern reads of the match. In DEFINE the row under test counts as labelled; masks of
 * variables as in {@link dev.millrace.cql.plan.flow.PatternSpec}.
 */
public sealed interface PatternExpression extends Expression
{
    /** From which end rows are counted. */
    enum End
    {
        /** From the first labelled row forwards. */
        FIRST,
        /** From the last labelled row backwards. */
        LAST
    }

    /**
     * A column of a labelled row, and from there physically back or forth in the partition: {@code V.c} is
     * {@code (V, LAST, 0, 0)}, {@code first(V.c, n)} is {@code (V, FIRST, n, 0)}, {@code prev(V.c, n)} is
     * {@code (V, LAST, 0, n)}, {@code next} has a negative {@code back}.
     *
     * @param variables mask of variables
     * @param end       from which end
     * @param offset    rows labelled with one of the variables, counted from that end
     * @param back      rows of the partition before that row
     * @param maxAgeMs  third argument of prev: null when the row is older by more; negative without
     * @param running   whether it is seen from the row at hand (RUNNING) and not from the last row (FINAL); differs
     *                  only with ALL ROWS PER MATCH
     * @param column    column of the input
     * @param type      its type
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
     * A column of the row that a row of the result stands for: with ALL ROWS PER MATCH the row at hand, else the last
     * row of the match; the row where an empty match was found; a row without match.
     *
     * @param column column of the input
     * @param type   its type
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
     * An aggregate over labelled rows.
     *
     * @param variables mask of variables whose rows count
     * @param function  sum, count, avg, min, max, first, last or another aggregate
     * @param arguments over {@link Expression.Column} and {@link Classifier} of the labelled row and
     *                  {@link MatchNumber}; empty for {@code count(V.*)}
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
     * Name of the variable of a row; null for a row that is not in the match.
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
        /**
         * The last row labelled with one of a set.
         *
         * @param variables mask
         * @param running   as in {@link Navigation}
         */
        public Classifier(final long variables, final boolean running)
        {
            this(variables, End.LAST, 0, 0, -1, running);
        }

        /**
         * Whether this is the variable of the last row of a set, which needs no look at other rows.
         *
         * @return true when it is
         */
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

    /** Number of the match in its partition, from 1. */
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
