package dev.millrace.cql.plan.flow;

import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.Field;
import dev.millrace.cql.plan.PatternExpression;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A row pattern.
 *
 * <p>Conditions and measures are over {@link PatternExpression} leaves and plain calls. A set of variables is a bit
 * mask over {@code variables}; all bits mean "any row of the match".
 *
 * @param partitionBy     columns of the input that split the stream
 * @param variables       names of the pattern's variables, at most 64, in order of first occurrence
 * @param conditions      DEFINE, one entry a variable; {@code null} is always true
 * @param pattern         what is looked for
 * @param measures        output columns
 * @param allMatches      ALL MATCHES
 * @param withinNs        0 without WITHIN
 * @param withinInclusive WITHIN INCLUSIVE
 * @param durationNs      0 without DURATION; with a column the unit that it counts
 * @param durationColumn  column of the first row with the number of units, -1 without
 * @param durationRepeats MULTIPLES OF
 * @param skip            AFTER MATCH SKIP
 * @param skipVariables   for {@link Skip#TO_FIRST} and {@link Skip#TO_LAST}: mask of the variable
 * @param output          ROWS PER MATCH
 */
public record PatternSpec(
    List<Integer> partitionBy,
    List<String> variables,
    List<Expression> conditions,
    Term pattern,
    List<Field> measures,
    boolean allMatches,
    long withinNs,
    boolean withinInclusive,
    long durationNs,
    int durationColumn,
    boolean durationRepeats,
    Skip skip,
    long skipVariables,
    RowsPerMatch output)
{
    /** Copies the lists; conditions may hold nulls. */
    public PatternSpec
    {
        partitionBy = List.copyOf(partitionBy);
        variables = List.copyOf(variables);
        conditions = Collections.unmodifiableList(new ArrayList<>(conditions));
        measures = List.copyOf(measures);
    }

    /** Where the search goes on after a match. */
    public enum Skip
    {
        /** After its last row (the default). */
        PAST_LAST_ROW,
        /** At the row after its first. */
        TO_NEXT_ROW,
        /** At the first row of a variable. */
        TO_FIRST,
        /** At the last row of a variable. */
        TO_LAST
    }

    /** What a match puts out. */
    public enum RowsPerMatch
    {
        /** One row; an empty match none (CQL, no clause written). */
        ONE_WITHOUT_EMPTY,
        /** ONE ROW PER MATCH: also for an empty match. */
        ONE,
        /** ALL ROWS PER MATCH SHOW EMPTY (the default of ALL ROWS). */
        ALL_SHOW_EMPTY,
        /** ALL ROWS PER MATCH OMIT EMPTY. */
        ALL_OMIT_EMPTY,
        /** ALL ROWS PER MATCH WITH UNMATCHED ROWS. */
        ALL_WITH_UNMATCHED
    }

    /** A regular expression over variables. */
    public sealed interface Term
    {
    }

    /**
     * One row.
     *
     * @param variable index in {@code variables}
     */
    public record Variable(int variable) implements Term
    {
    }

    /** No row. */
    public record Empty() implements Term
    {
    }

    /**
     * One after the other.
     *
     * @param terms in order
     */
    public record Sequence(List<Term> terms) implements Term
    {
        /** Copies the list. */
        public Sequence
        {
            terms = List.copyOf(terms);
        }
    }

    /**
     * One of several, earlier ones preferred.
     *
     * @param terms in order of preference
     */
    public record Alternation(List<Term> terms) implements Term
    {
        /** Copies the list. */
        public Alternation
        {
            terms = List.copyOf(terms);
        }
    }

    /**
     * Repetition.
     *
     * @param term   what repeats
     * @param min    least rounds
     * @param max    most rounds, {@link Integer#MAX_VALUE} without bound
     * @param greedy whether one more round is preferred to stopping
     */
    public record Repeat(Term term, int min, int max, boolean greedy) implements Term
    {
    }

    /**
     * {@code PERMUTE}: all orders, preferred as listed.
     *
     * @param terms what is permuted
     */
    public record Permute(List<Term> terms) implements Term
    {
        /** Copies the list. */
        public Permute
        {
            terms = List.copyOf(terms);
        }
    }

    /**
     * Exclusion: rows that match but are not put out with ALL ROWS PER MATCH.
     *
     * @param term what is left out
     */
    public record Exclude(Term term) implements Term
    {
    }
}
