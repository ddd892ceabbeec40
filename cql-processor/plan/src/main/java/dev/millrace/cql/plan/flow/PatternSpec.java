package dev.millrace.cql.plan.flow;

import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.PatternExpression;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A row pattern.
 *
 * <p>Conditions and measures consist of {@link PatternExpression} leaves and plain calls. A set of variables is a bit
 * mask over {@code variables}; all bits mean "any row of the match".
 *
 * @param partitionBy     input columns that partition the stream
 * @param variables       names of the pattern's variables, at most 64, in order of first occurrence
 * @param conditions      DEFINE, one per variable; {@code null} is always true
 * @param pattern         pattern to search for
 * @param measures        output columns
 * @param allMatches      ALL MATCHES
 * @param withinNs        0 without WITHIN
 * @param withinInclusive WITHIN INCLUSIVE
 * @param durationNs      0 without DURATION; with a column, the unit of its count
 * @param durationColumn  column of the first row that contains the number of units, -1 without
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
    /** Copies the lists; conditions may contain nulls. */
    public PatternSpec
    {
        partitionBy = List.copyOf(partitionBy);
        variables = List.copyOf(variables);
        conditions = Collections.unmodifiableList(new ArrayList<>(conditions));
        measures = List.copyOf(measures);
    }

    /** Where the search continues after a match. */
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

    /** The rows that are emitted for a match. */
    public enum RowsPerMatch
    {
        /** One row; none for an empty match (CQL without this clause). */
        ONE_WITHOUT_EMPTY,
        /** ONE ROW PER MATCH: one row, also for an empty match. */
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
     * A sequence of terms.
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
     * One of several terms; earlier ones are preferred.
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
     * @param term   repeated term
     * @param min    minimum number of repetitions
     * @param max    maximum number of repetitions, {@link Integer#MAX_VALUE} for no limit
     * @param greedy whether one more repetition is preferred to stopping
     */
    public record Repeat(Term term, int min, int max, boolean greedy) implements Term
    {
    }

    /**
     * {@code PERMUTE}: all orders, preferred as listed.
     *
     * @param terms permuted terms
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
     * Exclusion: rows that match but are not emitted with ALL ROWS PER MATCH.
     *
     * @param term excluded term
     */
    public record Exclude(Term term) implements Term
    {
    }
}
