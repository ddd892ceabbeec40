package dev.millrace.cql.runtime.pattern;

import dev.millrace.api.event.CqlType;

/**
 * A row pattern compiled to a program. Rows of a match are labelled with variables; the regular expression is compiled
 * to a list of positions, each with the positions that may follow, in order of preference. Sets of variables are bit
 * masks. Immutable; arrays must not be modified.
 *
 * @param variables     names of the variables
 * @param labels        variable of each position
 * @param excluded      whether ALL ROWS PER MATCH omits rows at a position
 * @param first         positions at which a match may begin, in order of preference; {@link #END} = the empty match
 * @param follow        positions after each position, in order of preference; {@link #END} = the match is complete
 * @param unconditional variables that accept any row
 * @param rowLocal      variables whose condition reads only the row and rows physically before it
 * @param navigations   references of conditions and measures to labelled rows
 * @param aggregates    aggregates of conditions and measures over labelled rows
 * @param classifiers   references to the names of variables
 * @param readsNumber   whether conditions or measures read the number of the match
 * @param rules         which matches are reported, and what they emit
 * @param partitionBy   input columns of the partition key
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
    /** In lists of positions: the match is complete. */
    public static final int END = -1;

    /** Where the search resumes after a match. */
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
     * Which matches are reported, and what they emit.
     *
     * @param allMatches    every labelling of every start
     * @param withinNs      0 without WITHIN
     * @param inclusive     whether a match may last exactly as long
     * @param durationNs    0 without DURATION; with a column, the unit that the column counts
     * @param durationOf    column of the first row with the number of units, -1 for a constant duration
     * @param repeats       DURATION MULTIPLES OF
     * @param skip          where the search resumes
     * @param skipVariables mask for TO_FIRST and TO_LAST
     * @param allRows       a row for each row of the match
     * @param empty         whether empty matches are reported
     * @param omitsEmpty    whether empty matches count but emit nothing
     * @param unmatched     whether rows without a match are emitted
     */
    public record Rules(boolean allMatches, long withinNs, boolean inclusive, long durationNs, int durationOf,
        boolean repeats, Skip skip, long skipVariables, boolean allRows, boolean empty, boolean omitsEmpty,
        boolean unmatched)
    {
    }

    /**
     * Refers to a row of the match, and optionally from there to a row before or after it in the partition.
     *
     * @param variables   mask
     * @param isFirst     counted from the first labelled row, otherwise from the last
     * @param offset      number of rows
     * @param back        rows of the partition before; negative = after
     * @param maxAgeNs    no row when it is older by more; negative for no limit
     * @param running     relative to the current row, otherwise to the last row of the match
     * @param inCondition whether a condition reads it of an earlier row, so that it distinguishes candidates
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
        /** Sum of an int or bigint. */
        SUM_LONG,
        /** Mean of an int or bigint. */
        AVG_LONG,
        /** Sum of a float or double. */
        SUM_DOUBLE,
        /** Mean of a float or double. */
        AVG_DOUBLE,
        /** Minimum. */
        MIN,
        /** Maximum. */
        MAX,
        /** Computed over all rows at each read. */
        FUNCTION
    }

    /**
     * An aggregate over labelled rows.
     *
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
     * Reads the name of a row's variable.
     *
     * @param variables   mask: of the last row labelled with one of them
     * @param running     as in {@link Navigation}
     * @param inCondition whether a condition reads it
     * @param navigation  index of the navigation to the row, -1 for the last row labelled with one of the variables
     */
    public record Classifier(long variables, boolean running, boolean inCondition, int navigation)
    {
        boolean isNavigated()
        {
            return navigation >= 0;
        }
    }

    /** Whether a match without rows may be reported: the rules and the pattern both allow it. */
    public boolean mayBeEmpty()
    {
        boolean canEnd = false;
        for (final int position : first)
        {
            canEnd |= position == END;
        }
        return canEnd && rules.empty() && !rules.allMatches() && rules.durationNs() == 0;
    }

    /** Whether the name of a variable is read of a row after another one, so that labels of all rows must be stored. */
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
     * Whether the same row and labels so far can lead to one variable in two ways, so that a labelling may arise twice.
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
