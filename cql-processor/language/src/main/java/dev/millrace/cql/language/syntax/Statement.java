package dev.millrace.cql.language.syntax;

import dev.millrace.cql.language.Refusal;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * A parsed statement: a select block and the operator around it. Names are as written, not looked up.
 *
 * @param toStream       relation-to-stream operator around the block
 * @param toStreamPlace  place of its name; {@code null} without operator
 * @param items          select list
 * @param sources        FROM
 * @param where          condition, or {@code null}
 * @param groupBy        terms; {@code null} without the clause
 * @param having         condition, or {@code null}
 * @param unavailable    constructs of CQL that this version has not, in order of the text
 * @param place          span of the select block
 */
public record Statement(
    ToStream toStream,
    SqlParserPos toStreamPlace,
    List<Item> items,
    List<Source> sources,
    SqlNode where,
    List<SqlNode> groupBy,
    SqlNode having,
    List<Refusal> unavailable,
    SqlParserPos place)
{
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

    /** Windows that run in this version. */
    public enum Window
    {
        /** None written, or unbounded. */
        UNBOUNDED,
        /** {@code [now]}. */
        NOW
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
     * A term of FROM.
     *
     * @param name        what is read
     * @param window      window
     * @param windowPlace place of the window, {@code null} without brackets
     * @param match       MATCH_RECOGNIZE, or {@code null}
     * @param alias       name after AS, or {@code null}
     */
    public record Source(
        SqlIdentifier name, Window window, SqlParserPos windowPlace, Match match, SqlIdentifier alias)
    {
    }

    /**
     * The content of MATCH_RECOGNIZE.
     *
     * @param place       place of the word
     * @param partitionBy columns
     * @param measures    values with names
     * @param allMatches  whether ALL MATCHES is there
     * @param timerEvents place of INCLUDE TIMER EVENTS, or {@code null}
     * @param variables   variables of PATTERN in order, each once for every occurrence
     * @param within      place of WITHIN, or {@code null}
     * @param duration    place of DURATION, or {@code null}
     * @param subsets     SUBSET items
     * @param defines     DEFINE items: expression is the condition, alias the variable
     */
    public record Match(
        SqlParserPos place,
        List<SqlIdentifier> partitionBy,
        List<Item> measures,
        boolean allMatches,
        SqlParserPos timerEvents,
        List<SqlIdentifier> variables,
        SqlParserPos within,
        SqlParserPos duration,
        List<Subset> subsets,
        List<Item> defines)
    {
    }

    /**
     * A SUBSET item.
     *
     * @param name    its name
     * @param members variables
     */
    public record Subset(SqlIdentifier name, List<SqlIdentifier> members)
    {
    }
}
