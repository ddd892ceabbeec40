package dev.millrace.cql.language.syntax;

import dev.millrace.cql.language.syntax.Statement.Item;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.parser.SqlParserPos;

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
