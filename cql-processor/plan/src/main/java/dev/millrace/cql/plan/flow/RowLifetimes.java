package dev.millrace.cql.plan.flow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How long rows of the nodes of a flow live: whether they are ever deleted, in which order, and whether they exist only
 * for their instant. Determined bottom-up. Immutable, thread-safe.
 */
class RowLifetimes
{
    private final List<FlowNode> nodes = new ArrayList<>();
    private final Map<FlowNode, Departure> departures = new IdentityHashMap<>();
    private final Set<FlowNode> ofInstant = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<FlowNode> streams = Collections.newSetFromMap(new IdentityHashMap<>());

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

    RowLifetimes(final FlowPlan plan)
    {
        final Set<FlowNode> found = Collections.newSetFromMap(new IdentityHashMap<>());
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
    }

    /** All nodes of the flow, inputs before consumers. */
    public List<FlowNode> nodes()
    {
        return Collections.unmodifiableList(nodes);
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
