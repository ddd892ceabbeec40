package dev.millrace.cql.compiler;

import java.util.List;

/**
 * The rows that a stage hands on.
 *
 * @param columns   its columns; {@code null} entries are read by nobody
 * @param selection field with the row numbers, or {@code null} when all rows of the batch are handed on
 */
record Rows(List<ColumnRef> columns, String selection)
{
}
