package dev.millrace.assembly.epn;

import dev.millrace.assembly.xml.Located;
import dev.millrace.network.definition.SourcePosition;

/**
 * A table of a database as written in an assembly file.
 *
 * @param id         id; the name that rules use
 * @param eventType  type of its rows
 * @param dataSource name of a data source of the server
 * @param tableName  name in the database, or {@code null} when it is the id
 * @param position   of the element
 */
public record TableDeclaration(
    String id, Located eventType, Located dataSource, Located tableName, SourcePosition position)
{
}
