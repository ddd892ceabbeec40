package dev.millrace.cql.plan.flow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Static properties of the nodes of a flow. Bottom-up: whether rows are ever deleted, and in which order. Top-down:
 * which columns of a node are read. For a node that several queries of the flow share, these are the columns that any
 * of them reads. Immutable, thread-safe.
 */
public final class FlowProperties
{
    private final List<FlowNode> nodes;
    private final Map<FlowNode, Departure> departures = new IdentityHashMap<>();
    private final Set<FlowNode> ofInstant = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<FlowNode> streams = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<FlowNode, boolean[]> read = new IdentityHashMap<>();

    /** The order in which rows are deleted, from the strongest guarantee to the weakest. */
    private enum Departure
    {
        /** Never: a stream, or a relation that only grows. */
        NEVER,
        /** Oldest first. */
        IN_ORDER,
        /** Any order. */
        ANY
    }

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
        final Set<FlowNode> found = Collections.newSetFromMap(new IdentityHashMap<>());
        nodes = new ArrayList<>();
        plan.outputs().forEach(output -> FlowNode.upstream(output.input()).stream().filter(found::add)
            .forEach(nodes::add));
        nodes.forEach(node ->
        {
            departures.put(node, departure(node));
            if (findOfInstant(node))
            {
                ofInstant.add(node);
            }
            if (findStream(node))
            {
                streams.add(node);
            }
        });
        nodes.forEach(node -> read.put(node, new boolean[node.rows().size()]));
        plan.outputs().forEach(output -> columns(output.input()).all());
        columns.forEach((node, column) -> columns(
            node instanceof FlowNode.Source || node instanceof FlowNode.Group ? node : node.inputs().get(0))
            .add(column));
        final ColumnPruning reads = new ColumnPruning(this);
        for (int i = nodes.size() - 1; i >= 0; i--)
        {
            reads.spread(nodes.get(i));
        }
    }

    /** All nodes of the flow, inputs before consumers. */
    public List<FlowNode> nodes()
    {
        return Collections.unmodifiableList(nodes);
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

    /** Whether no row is ever deleted: a stream, or a relation that only grows. */
    public boolean isGrowing(final FlowNode node)
    {
        return departures.get(node) == Departure.NEVER;
    }

    /**
     * Whether, of several equal rows, the first inserted is the first deleted.
     *
     * @return true for nodes that delete rows in order, and for those that never delete
     */
    public boolean isFifo(final FlowNode node)
    {
        return departures.get(node) != Departure.ANY;
    }

    /**
     * Whether a relation contains only rows that derive from {@code [now]} rows of the current instant, row by row.
     *
     * @return true when each of its rows can be emitted and discarded
     */
    public boolean isOfInstant(final FlowNode node)
    {
        return ofInstant.contains(node);
    }

    /**
     * Whether rows are seen once, at their instant, and are never deleted.
     *
     * @return false for relations
     */
    public boolean isStream(final FlowNode node)
    {
        return streams.contains(node);
    }

    private boolean findStream(final FlowNode node)
    {
        return node instanceof FlowNode.Source source ? !source.relation() :
            node instanceof FlowNode.ToStream || node instanceof FlowNode.Match || node instanceof FlowNode.Timed ||
            (node instanceof FlowNode.Calc || node instanceof FlowNode.Sort || node instanceof FlowNode.Pull ||
                isUnionAll(node)) && node.inputs().stream().allMatch(this::isStream);
    }

    private boolean findOfInstant(final FlowNode node)
    {
        if (node instanceof FlowNode.Window window)
        {
            return window.window() instanceof WindowSpec.Now;
        }
        if (node instanceof FlowNode.Join join)
        {
            return isOfInstant(join.left()) || join.kind() == FlowNode.JoinKind.INNER && isOfInstant(join.right());
        }
        final boolean keepsRows = node instanceof FlowNode.Calc || node instanceof FlowNode.Pull ||
            node instanceof FlowNode.Sort || isUnionAll(node);
        return keepsRows && node.inputs().stream().allMatch(this::isOfInstant);
    }

    private static boolean isUnionAll(final FlowNode node)
    {
        return node instanceof FlowNode.SetOperation set && set.kind() == FlowNode.SetKind.UNION_ALL;
    }

    ColumnSet columns(final FlowNode node)
    {
        return new ColumnSet(read.get(node));
    }

    private Departure departure(final FlowNode node)
    {
        if (node instanceof FlowNode.Source source)
        {
            return source.relation() ? Departure.ANY : Departure.NEVER;
        }
        if (node instanceof FlowNode.Window window)
        {
            return departure(window.window());
        }
        if (node instanceof FlowNode.ToStream || node instanceof FlowNode.Match)
        {
            return Departure.NEVER;
        }
        if (node instanceof FlowNode.Calc || node instanceof FlowNode.Timed || node instanceof FlowNode.Pull)
        {
            return departures.get(node.inputs().get(0));
        }
        final boolean isMonotone = node instanceof FlowNode.Distinct || node instanceof FlowNode.Sort ||
            node instanceof FlowNode.Join join && join.kind() == FlowNode.JoinKind.INNER ||
            node instanceof FlowNode.SetOperation set && (set.kind() == FlowNode.SetKind.UNION || isUnionAll(set));
        return isMonotone && node.inputs().stream().allMatch(this::isGrowing) ? Departure.NEVER : Departure.ANY;
    }

    private static Departure departure(final WindowSpec window)
    {
        if (window instanceof WindowSpec.Unbounded)
        {
            return Departure.NEVER;
        }
        return window instanceof WindowSpec.Now || window instanceof WindowSpec.Range ||
            window instanceof WindowSpec.Rows ? Departure.IN_ORDER : Departure.ANY;
    }
}
