package dev.millrace.cql.runtime.pattern;

import dev.millrace.api.event.CqlType;

/**
 * A row pattern made ready to run. Rows of a match are labelled with variables; the regular expression has become a
 * list of places ("positions"), each with the places that may follow, in order of preference. Sets of variables are bit
 * masks. Immutable; arrays must not be changed.
 *
 * @param variables     names of the variables
 * @param labels        variable of each position
 * @param excluded      whether rows at a position are left out by ALL ROWS PER MATCH
 * @param first         positions where a match may begin, in order of preference; {@link #END} = the empty match
 * @param follow        positions after each position, in order of preference; {@link #END} = the match is complete
 * @param unconditional variables that take any row
 * @param rowLocal      variables whose condition reads only the row and rows physically before it
 * @param navigations   what conditions and measures read of labelled rows
 * @param aggregates    what they compute over labelled rows
 * @param classifiers   whose names they read
 * @param readsNumber   whether conditions or measures read the number of the match
 * @param rules         which matches count and what they put out
 * @param partitionBy   columns of the input that split it
 */
public record PatternProgram(
    String[] variables,
    int[] labels,
    boolean[] excluded,
    int[] first,
    int[][] follow,
    long unconditional,
    long rowLocal,
    Navigation[] navigations,
    Aggregate[] aggregates,
    Classifier[] classifiers,
    boolean readsNumber,
    Rules rules,
    int[] partitionBy)
{
    /** In lists of positions: the match is complete here. */
    public static final int END = -1;

    /** Where the search goes on after a match. */
    public enum Skip
    {
        /** After its last row. */
        PAST_LAST_ROW,
        /** At the row after its first. */
        TO_NEXT_ROW,
        /** At the first row of a variable. */
        TO_FIRST,
        /** At the last row of a variable. */
        TO_LAST
    }

    /**
     * Which matches count and what they put out.
     *
     * @param allMatches    every labelling of every start
     * @param withinNs      0 without
     * @param inclusive     whether a match may last exactly as long
     * @param durationNs    0 without; with a column the unit that it counts
     * @param durationOf    column of the first row with the number of units, -1 without
     * @param repeats       DURATION MULTIPLES OF
     * @param skip          where the search goes on
     * @param skipVariables mask for TO_FIRST and TO_LAST
     * @param allRows       a row for each row of the match
     * @param empty         whether empty matches count
     * @param omitsEmpty    whether they count without being put out
     * @param unmatched     whether rows without match are put out
     */
    public record Rules(boolean allMatches, long withinNs, boolean inclusive, long durationNs, int durationOf,
        boolean repeats, Skip skip, long skipVariables, boolean allRows, boolean empty, boolean omitsEmpty,
        boolean unmatched)
    {
    }

    /**
     * A row of the match and from there back in the partition.
     *
     * @param variables   mask
     * @param isFirst     counted from the first labelled row, else from the last
     * @param offset      rows counted
     * @param back        rows of the partition before; negative = after
     * @param maxAgeNs    no row when it is older by more; negative without
     * @param running     seen from the row at hand, else from the last row of the match
     * @param inCondition whether a condition reads it of an earlier row, so that candidates differ by it
     * @param inMeasure   whether a measure reads it
     */
    public record Navigation(long variables, boolean isFirst, int offset, int back, long maxAgeNs, boolean running,
        boolean inCondition, boolean inMeasure)
    {
    }

    /** Kinds of aggregates. */
    public enum AggregateKind
    {
        /** Rows. */
        COUNT_ROWS,
        /** Rows whose argument is not null. */
        COUNT,
        /** Sum of int or bigint. */
        SUM_LONG,
        /** Mean of int or bigint. */
        AVG_LONG,
        /** Sum of float or double. */
        SUM_DOUBLE,
        /** Mean of float or double. */
        AVG_DOUBLE,
        /** Least. */
        MIN,
        /** Greatest. */
        MAX,
        /** Computed over all rows whenever it is asked for. */
        FUNCTION
    }

    /**
     * An aggregate over labelled rows.
     *
     * @param kind        kind
     * @param function    name, for messages and {@link AggregateKind#FUNCTION}
     * @param variables   mask
     * @param distinct    whether equal arguments count once
     * @param type        type of the result
     * @param running     as in {@link Navigation}
     * @param inCondition whether a condition reads it
     */
    public record Aggregate(AggregateKind kind, String function, long variables, boolean distinct, CqlType type,
        boolean running, boolean inCondition)
    {
    }

    /**
     * Name of the variable of a row.
     *
     * @param variables   mask: of the last row labelled with one of them
     * @param running     as in {@link Navigation}
     * @param inCondition whether a condition reads it
     * @param navigation  number of the navigation to the row, -1 for the last row labelled with one of the variables
     */
    public record Classifier(long variables, boolean running, boolean inCondition, int navigation)
    {
        boolean isNavigated()
        {
            return navigation >= 0;
        }
    }

    /**
     * Whether a match without rows may be reported.
     *
     * @return true when it counts and the pattern allows it
     */
    public boolean mayBeEmpty()
    {
        boolean canEnd = false;
        for (final int position : first)
        {
            canEnd |= position == END;
        }
        return canEnd && rules.empty() && !rules.allMatches() && rules.durationNs() == 0;
    }

    /**
     * Whether a name is read of the variable of a row behind another one.
     *
     * @return true when labels of all rows must be kept
     */
    public boolean readsLabelsAhead()
    {
        for (final Classifier classifier : classifiers)
        {
            if (classifier.isNavigated() && navigations[classifier.navigation].back < 0)
            {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the same row and labels so far can lead to one variable in two ways.
     *
     * @return true when a labelling may come about in two ways
     */
    public boolean isAmbiguous()
    {
        if (hasTwice(first))
        {
            return true;
        }
        for (final int[] next : follow)
        {
            if (hasTwice(next))
            {
                return true;
            }
        }
        return false;
    }

    private boolean hasTwice(final int[] positions)
    {
        long seen = 0;
        for (final int position : positions)
        {
            if (position != END)
            {
                final long bit = 1L << labels[position];
                if ((seen & bit) != 0)
                {
                    return true;
                }
                seen |= bit;
            }
        }
        return false;
    }
}
