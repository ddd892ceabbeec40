package dev.millrace.cql.compiler.unit;

import dev.millrace.cql.plan.flow.FlowNode;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** State that a flow must be able to discard, in addition to rows that leave by time. Immutable, thread-safe. */
public final class DiscardSupport
{
    private final Map<FlowNode, Integer> columns;
    private final boolean canBeIdle;

    /**
     * @param columns   for each node of the plan that stores rows of channels partitioned across members, the column
     *                  that identifies their partition; nodes are compared by identity
     * @param canBeIdle whether keys of unbounded state are discarded after they have been idle for a time
     */
    public DiscardSupport(final Map<FlowNode, Integer> columns, final boolean canBeIdle)
    {
        this.columns = Collections.unmodifiableMap(new IdentityHashMap<>(columns));
        this.canBeIdle = canBeIdle;
    }

    /** For each node that stores rows of partitions, the column that identifies the partition. */
    public Map<FlowNode, Integer> columns()
    {
        return columns;
    }

    /** Whether partitions may have to be discarded. */
    boolean canForget()
    {
        return !columns.isEmpty();
    }

    /** Whether keys of unbounded state are discarded after they have been idle for a time. */
    public boolean canBeIdle()
    {
        return canBeIdle;
    }

    /** Nodes from which rows may leave before their time. */
    Set<FlowNode> nodes()
    {
        return columns.keySet();
    }

    /** The column that identifies the partition of a node's rows; {@code null} if none exists. */
    Integer column(final FlowNode node)
    {
        return columns.get(node);
    }

    /** Java condition for whether {@code input} is the index of a source below a node. */
    String inputs(final FlowNode node, final List<FlowNode.Source> sources)
    {
        final Set<FlowNode> above = Collections.newSetFromMap(new IdentityHashMap<>());
        above.addAll(FlowNode.upstream(node));
        return IntStream.range(0, sources.size()).filter(i -> above.contains(sources.get(i)))
            .mapToObj(i -> "input == " + i).collect(Collectors.joining(" || "));
    }
}
