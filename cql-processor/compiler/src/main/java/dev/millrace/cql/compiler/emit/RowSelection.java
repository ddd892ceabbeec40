package dev.millrace.cql.compiler.emit;

import java.util.List;

/**
 * The output rows of an operator.
 *
 * @param columns   its columns; {@code null} for those that no consumer reads
 * @param selection field with the row numbers, or {@code null} when all rows of the batch are passed on
 */
public record RowSelection(List<ColumnRef> columns, String selection)
{
}
