package dev.millrace.cql.language.syntax;

import dev.millrace.cql.language.syntax.Statement.Item;
import dev.millrace.cql.language.syntax.Statement.Period;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * The content of MATCH_RECOGNIZE. Immutable.
 *
 * @param position    position of the keyword
 * @param partitionBy columns
 * @param orderBy     columns; empty without the clause
 * @param measures    values with names; empty without the clause
 * @param rows        ROWS PER MATCH, or {@code null}
 * @param skip        AFTER MATCH SKIP, or {@code null}
 * @param allMatches  position of ALL MATCHES, or {@code null}
 * @param timerEvents position of INCLUDE TIMER EVENTS, or {@code null}
 * @param pattern     regular expression
 * @param within      WITHIN, or {@code null}
 * @param duration    DURATION, or {@code null}
 * @param subsets     SUBSET items
 * @param defines     DEFINE items: expression is the condition, alias the variable
 * @param end         position of the closing parenthesis
 */
public record MatchClause(
    SqlParserPos position,
    List<SqlIdentifier> partitionBy,
    List<SqlIdentifier> orderBy,
    List<Item> measures,
    Rows rows,
    Skip skip,
    SqlParserPos allMatches,
    SqlParserPos timerEvents,
    Term pattern,
    Limit within,
    Limit duration,
    List<Subset> subsets,
    List<Item> defines,
    SqlParserPos end)
{
    /** Copies the lists. */
    public MatchClause
    {
        partitionBy = List.copyOf(partitionBy);
        orderBy = List.copyOf(orderBy);
        measures = List.copyOf(measures);
        subsets = List.copyOf(subsets);
        defines = List.copyOf(defines);
    }

    /**
     * A SUBSET item.
     *
     * @param members variables
     */
    public record Subset(SqlIdentifier name, List<SqlIdentifier> members)
    {
        /** Copies the list. */
        public Subset
        {
            members = List.copyOf(members);
        }
    }

    /** Forms of ROWS PER MATCH. */
    public enum RowsKind
    {
        /** ONE ROW PER MATCH. */
        ONE,
        /** ALL ROWS PER MATCH, also written with SHOW EMPTY MATCHES. */
        ALL_SHOW_EMPTY,
        /** ALL ROWS PER MATCH OMIT EMPTY MATCHES. */
        ALL_OMIT_EMPTY,
        /** ALL ROWS PER MATCH WITH UNMATCHED ROWS. */
        ALL_WITH_UNMATCHED
    }

    /**
     * ROWS PER MATCH.
     *
     * @param kind     form
     * @param position span
     */
    public record Rows(RowsKind kind, SqlParserPos position)
    {
    }

    /** Forms of AFTER MATCH SKIP. */
    public enum SkipKind
    {
        /** PAST LAST ROW. */
        PAST_LAST_ROW,
        /** TO NEXT ROW. */
        TO_NEXT_ROW,
        /** TO FIRST v. */
        TO_FIRST,
        /** TO LAST v, TO v. */
        TO_LAST
    }

    /**
     * AFTER MATCH SKIP.
     *
     * @param kind     form
     * @param variable variable or SUBSET, {@code null} for the first two forms
     * @param position span
     */
    public record Skip(SkipKind kind, SqlIdentifier variable, SqlParserPos position)
    {
    }

    /**
     * WITHIN or DURATION.
     *
     * @param period   duration; with a column, the unit of the column
     * @param column   column of the first row that contains the number of units, or {@code null}
     * @param special  INCLUSIVE, or MULTIPLES OF
     * @param position position of the first word
     */
    public record Limit(Period period, SqlIdentifier column, boolean special, SqlParserPos position)
    {
    }

    /** A part of a pattern. */
    public sealed interface Term
    {
        /** The span in the text. */
        SqlParserPos position();
    }

    /** A variable: one row. */
    public record Variable(SqlIdentifier name) implements Term
    {
        @Override
        public SqlParserPos position()
        {
            return name.getParserPosition();
        }
    }

    /**
     * {@code ( )}: no row.
     *
     * @param position span
     */
    public record Empty(SqlParserPos position) implements Term
    {
    }

    /**
     * A sequence of terms.
     *
     * @param terms    two or more
     * @param position span
     */
    public record Sequence(List<Term> terms, SqlParserPos position) implements Term
    {
        /** Copies the list. */
        public Sequence
        {
            terms = List.copyOf(terms);
        }
    }

    /**
     * Alternative terms; earlier ones are preferred.
     *
     * @param terms    two or more
     * @param position span
     */
    public record Alternation(List<Term> terms, SqlParserPos position) implements Term
    {
        /** Copies the list. */
        public Alternation
        {
            terms = List.copyOf(terms);
        }
    }

    /**
     * A term with a quantifier.
     *
     * @param term     repeated term
     * @param min      minimum number of repetitions
     * @param max      maximum number of repetitions, {@link Integer#MAX_VALUE} for no limit
     * @param greedy   whether one more repetition is preferred to stopping
     * @param position span of the quantifier
     */
    public record Repeat(Term term, int min, int max, boolean greedy, SqlParserPos position) implements Term
    {
    }

    /**
     * PERMUTE: all orders.
     *
     * @param terms    one or more
     * @param position span
     */
    public record Permute(List<Term> terms, SqlParserPos position) implements Term
    {
        /** Copies the list. */
        public Permute
        {
            terms = List.copyOf(terms);
        }
    }

    /**
     * <code>{- ... -}</code>: rows that ALL ROWS PER MATCH excludes.
     *
     * @param term     excluded term
     * @param position span
     */
    public record Exclude(Term term, SqlParserPos position) implements Term
    {
    }
}
