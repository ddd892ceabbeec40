package dev.millrace.cql.language.syntax;

import dev.millrace.cql.language.Refusal;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * A parsed statement: a query and the operators around it. Names are as written, not looked up; placeholders have been
 * replaced by their values.
 *
 * @param toStream        relation-to-stream operator around the query
 * @param toStreamPlace   place of its name; {@code null} without operator
 * @param differenceUsing terms: numbers are positions from 1, all else is a column, an alias or an expression of the
 *                        select list; empty without the clause
 * @param differencePlace place of the clause; {@code null} without it
 * @param query           the query
 * @param evaluateEvery   period of EVALUATE EVERY, or {@code null}
 * @param unavailable     constructs of CQL that this version has not, in order of the text
 * @param place           span of the statement
 */
public record Statement(
    ToStream toStream,
    SqlParserPos toStreamPlace,
    List<SqlNode> differenceUsing,
    SqlParserPos differencePlace,
    Query query,
    Period evaluateEvery,
    List<Refusal> unavailable,
    SqlParserPos place)
{
    /** Copies the lists. */
    public Statement
    {
        differenceUsing = List.copyOf(differenceUsing);
        unavailable = List.copyOf(unavailable);
    }

    /** Relation-to-stream operators. */
    public enum ToStream
    {
        /** None. */
        NONE,
        /** Rows that appear. */
        ISTREAM,
        /** Rows that vanish. */
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
     * A length of time.
     *
     * @param ns    nanoseconds, more than 0
     * @param place where it stands, with its unit
     */
    public record Period(long ns, SqlParserPos place)
    {
    }
}
