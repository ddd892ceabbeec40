package dev.millrace.cql.compiler;

import java.util.List;

/**
 * The output rows of an operator.
 *
 * @param columns   its columns; {@code null} for those that no consumer reads
 * @param selection field with the row numbers, or {@code null} when all rows of the batch are passed on
 */
record Rows(List<ColumnRef> columns, String selection)
{
}
