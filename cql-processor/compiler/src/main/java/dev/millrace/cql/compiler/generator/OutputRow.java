package dev.millrace.cql.compiler.generator;

import java.util.List;
import java.util.function.BinaryOperator;

/**
 * Code of an output row of a group. Immutable.
 *
 * @param values code of its columns, {@code null} for those that are copied as strings
 * @param nulls  code for "it is null", {@code null} when it never is
 * @param copies per column a function that returns, for a column and a row of a batch, the call that copies a string
 *               there; {@code null} for columns with values
 * @param enters whether it is an insert
 * @param time   as for {@link GroupChange#write}
 * @param row    as for {@link GroupChange#write}
 */
record OutputRow(
    List<String> values, List<String> nulls, List<BinaryOperator<String>> copies, boolean enters, String time,
    String row)
{
    /** Statement that copies a string to a row of a batch. */
    String copyText(final int column, final String to, final String at)
    {
        return copies.get(column).apply(to, at) + ';';
    }
}
