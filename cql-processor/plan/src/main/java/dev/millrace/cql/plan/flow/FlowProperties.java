package dev.millrace.cql.plan.flow;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Static properties of the nodes of a flow: the lifetimes of their rows, and the columns that are read, determined
 * top-down. For a node that several queries of the flow share, these are the columns that any of them reads. Immutable,
 * thread-safe.
 */
public final class FlowProperties extends RowLifetimes
{
    private final Map<FlowNode, boolean[]> read = new IdentityHashMap<>();

    /** Computes the properties of a flow. */
    public FlowProperties(final FlowPlan plan)
    {
        this(plan, Map.of());
    }

    /**
     * Computes the properties of a flow whose operators read additional columns.
     *
     * @param columns for nodes that store rows of channels that are partitioned across members, the column that
     *     identifies the partition: for a source and a group an output column, for others an input column
     */
    public FlowProperties(final FlowPlan plan, final Map<FlowNode, Integer> columns)
    {
        super(plan);
        nodes().forEach(node -> read.put(node, new boolean[node.rows().size()]));
        plan.outputs().forEach(output -> columns(output.input()).all());
        columns.forEach((node, column) -> columns(
            node instanceof FlowNode.Source || node instanceof FlowNode.Group ? node : node.inputs().get(0))
            .add(column));
        final ColumnPruning reads = new ColumnPruning(this, this::columns);
        for (int i = nodes().size() - 1; i >= 0; i--)
        {
            reads.spread(nodes().get(i));
        }
    }

    /** Whether a node belongs to the flow. */
    public boolean has(final FlowNode node)
    {
        return read.containsKey(node);
    }

    /**
     * Whether a column of a node's rows is read by its consumers, or by the operator that creates the rows.
     *
     * @return false when the rows need not store it
     */
    public boolean isRead(final FlowNode node, final int column)
    {
        return read.get(node)[column];
    }

    /** The columns of a node's rows that are read, in ascending order. */
    public List<Integer> columnsRead(final FlowNode node)
    {
        return columns(node).list();
    }

    private ColumnSet columns(final FlowNode node)
    {
        return new ColumnSet(read.get(node));
    }
}
