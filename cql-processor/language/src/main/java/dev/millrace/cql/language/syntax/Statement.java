package dev.millrace.cql.language.syntax;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * A parsed statement: a query and the operators around it. Names are not resolved; placeholders have been replaced with
 * their values.
 *
 * @param toStream           relation-to-stream operator around the query
 * @param toStreamPosition   position of its name; {@code null} without operator
 * @param differenceUsing    terms: numbers are positions from 1, anything else is a column, an alias or an expression
 *     of the select list; empty without the clause
 * @param differencePosition position of the clause; {@code null} without it
 * @param evaluateEvery      period of EVALUATE EVERY, or {@code null}
 * @param position           span of the statement
 */
public record Statement(
    ToStream toStream,
    SqlParserPos toStreamPosition,
    List<SqlNode> differenceUsing,
    SqlParserPos differencePosition,
    Query query,
    Period evaluateEvery,
    SqlParserPos position)
{
    /** Copies the list. */
    public Statement
    {
        differenceUsing = List.copyOf(differenceUsing);
    }

    /** Relation-to-stream operators. */
    public enum ToStream
    {
        /** None. */
        NONE,
        /** Inserted rows. */
        ISTREAM,
        /** Deleted rows. */
        DSTREAM,
        /** All rows. */
        RSTREAM
    }

    /**
     * A term of the select list.
     *
     * @param expression value; a star identifier for {@code *} and {@code alias.*}
     * @param alias      name after AS, or {@code null}
     */
    public record Item(SqlNode expression, SqlIdentifier alias)
    {
    }

    /**
     * A duration.
     *
     * @param ns       nanoseconds, more than 0
     * @param position position, with its unit
     */
    public record Period(long ns, SqlParserPos position)
    {
    }
}
