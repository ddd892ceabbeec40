package dev.millrace.cql.language.semantic;

import dev.millrace.api.event.CqlType;
import java.util.List;
import org.apache.calcite.rel.RelNode;

/**
 * A resolved and typed select block.
 *
 * @param names      names of its columns
 * @param types      their types
 * @param classes    Java classes of their values
 * @param plan       logical plan over {@link SourceTable}s; its columns are those of the block, then the hidden ones
 * @param hidden     number of additional columns that ORDER BY and its PARTITION BY need
 * @param aggregates whether it groups or aggregates
 * @param order      ORDER BY, or {@code null}
 */
public record LogicalBlock(
    List<String> names, List<CqlType> types, List<Class<?>> classes, RelNode plan, int hidden, boolean aggregates,
    LogicalOrder order)
{
    /**
     * ORDER BY over the columns of a plan.
     *
     * @param columns     one column per term
     * @param descending  direction of each
     * @param nullsFirst  position of nulls of each
     * @param rows        ROWS n, 0 without
     * @param partitionBy columns
     */
    public record LogicalOrder(
        List<Integer> columns, List<Boolean> descending, List<Boolean> nullsFirst, long rows, List<Integer> partitionBy)
    {
    }
}
