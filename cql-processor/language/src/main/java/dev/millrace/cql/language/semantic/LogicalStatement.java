package dev.millrace.cql.language.semantic;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.syntax.SimpleStatement;
import java.util.List;
import org.apache.calcite.rel.RelNode;

/**
 * A resolved and typed statement.
 *
 * @param statement syntax tree
 * @param sources   sources of FROM, by the index of a {@link SourceTable}
 * @param aliases   the names of the sources in the statement
 * @param variables variables of PATTERN in order; empty without MATCH_RECOGNIZE
 * @param names     column names of the result
 * @param types     their types
 * @param plan      logical plan
 */
public record LogicalStatement(
    SimpleStatement statement,
    List<SourceInfo> sources,
    List<String> aliases,
    List<String> variables,
    List<String> names,
    List<CqlType> types,
    RelNode plan)
{
}
