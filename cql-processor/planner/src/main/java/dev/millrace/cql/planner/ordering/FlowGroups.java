package dev.millrace.cql.planner.ordering;

import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.planner.rule.FlowParallelism;
import dev.millrace.cql.planner.rule.RuleForm;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Groups the queries that one flow runs: those that read a common view, so that it is computed once. They have the same
 * sources and the same order, so that none waits for more sources than it would alone. Not thread-safe.
 */
public final class FlowGroups
{
    private static final int MAX_QUERIES = 64;

    private final Set<FlowNode> views = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<Group> groups = new ArrayList<>();
    /** The groups that read each view. */
    private final Map<FlowNode, Set<Group>> readers = new IdentityHashMap<>();

    /** Queries of one flow, and the sources that they read. */
    private static final class Group
    {
        private final List<RuleForm> queries = new ArrayList<>();
        private final int number;
        private final Set<FlowNode> sources;
        private final FlowParallelism order;

        Group(final int number, final Set<FlowNode> sources, final FlowParallelism order)
        {
            this.number = number;
            this.sources = sources;
            this.order = order;
        }
    }

    /**
     * Creates the groups, without queries.
     *
     * @param results last nodes of the views
     */
    public FlowGroups(final Collection<FlowNode> results)
    {
        views.addAll(results);
        views.removeIf(FlowNode.Source.class::isInstance);
    }

    /** Adds a query to the group with which it shares a view, or to a new group. */
    public void add(final RuleForm query)
    {
        final Set<FlowNode> sources = Collections.newSetFromMap(new IdentityHashMap<>());
        final Set<FlowNode> read = Collections.newSetFromMap(new IdentityHashMap<>());
        for (final FlowNode node : FlowNode.upstream(query.flow().result()))
        {
            if (node instanceof FlowNode.Source)
            {
                sources.add(node);
            }
            else if (views.contains(node))
            {
                read.add(node);
            }
        }
        final FlowParallelism order = query.order();
        final Group group = read.stream().flatMap(view -> readers.getOrDefault(view, Set.of()).stream())
            .filter(each -> each.queries.size() < MAX_QUERIES && each.order.ordering() == order.ordering() &&
                each.order.merged() == order.merged() && each.order.values().equals(order.values()) &&
                each.sources.equals(sources))
            .min(Comparator.comparingInt(each -> each.number)).orElseGet(() -> newGroup(sources, order));
        group.queries.add(query);
        for (final FlowNode view : read)
        {
            readers.computeIfAbsent(view, any -> new LinkedHashSet<>()).add(group);
        }
    }

    private Group newGroup(final Set<FlowNode> sources, final FlowParallelism order)
    {
        final Group group = new Group(groups.size(), sources, order);
        groups.add(group);
        return group;
    }

    /** The queries of each flow, in order of their first ones. */
    public List<List<RuleForm>> all()
    {
        return groups.stream().map(group -> List.copyOf(group.queries)).toList();
    }
}
