package dev.millrace.cql.compiler.unit;

import dev.millrace.cql.plan.flow.FlowNode;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What the state of a flow must be able to forget besides what time lets leave. Immutable, safe for all threads.
 */
public final class Forgotten
{
    private final Map<FlowNode, Integer> columns;
    private final boolean canBeIdle;

    /**
     * Says what must be forgotten.
     *
     * @param columns   for each node of the plan that keeps rows of channels which are shared out among members, the
     *                  column that tells their partition; nodes are compared by identity
     * @param canBeIdle whether keys that are kept without end are forgotten when they have been idle for a time
     */
    public Forgotten(final Map<FlowNode, Integer> columns, final boolean canBeIdle)
    {
        this.columns = Collections.unmodifiableMap(new IdentityHashMap<>(columns));
        this.canBeIdle = canBeIdle;
    }

    /**
     * The nodes that keep rows of partitions.
     *
     * @return the column of each that tells the partition
     */
    public Map<FlowNode, Integer> columns()
    {
        return columns;
    }

    /** Whether partitions may have to be forgotten. */
    boolean canForget()
    {
        return !columns.isEmpty();
    }

    /**
     * Whether keys that are kept without end are forgotten when they have been idle for a time.
     *
     * @return false when they stay
     */
    public boolean canBeIdle()
    {
        return canBeIdle;
    }

    /** Nodes from which rows may leave before their time. */
    Set<FlowNode> nodes()
    {
        return columns.keySet();
    }

    /** The column of a node's rows that tells their partition; {@code null} when there is none. */
    Integer column(final FlowNode node)
    {
        return columns.get(node);
    }

    /** Java condition of whether {@code input} is the number of a source above which a node stands. */
    String inputs(final FlowNode node, final List<FlowNode.Source> sources)
    {
        final Set<FlowNode> above = Collections.newSetFromMap(new IdentityHashMap<>());
        above.addAll(FlowNode.upstream(node));
        return IntStream.range(0, sources.size()).filter(i -> above.contains(sources.get(i)))
            .mapToObj(i -> "input == " + i).collect(Collectors.joining(" || "));
    }
}
