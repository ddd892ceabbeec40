package dev.millrace.cql.planner;

import dev.millrace.cql.plan.flow.FlowNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Groups the queries that one flow runs: those that read a common view, so that it is computed once. They have the same
 * sources and the same order, so that none waits for more sources than it would alone. Not thread-safe.
 */
final class FlowGroups
{
    private static final int MAX_QUERIES = 64;

    private final Set<FlowNode> views = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<Group> groups = new ArrayList<>();

    /** Queries of one flow, the nodes they read, and the views among these nodes. */
    private static final class Group
    {
        private final List<String> queries = new ArrayList<>();
        private final Set<FlowNode> sources;
        private final Set<FlowNode> shared = Collections.newSetFromMap(new IdentityHashMap<>());
        private final FlowOrder order;

        Group(final Set<FlowNode> sources, final FlowOrder order)
        {
            this.sources = sources;
            this.order = order;
        }
    }

    /**
     * Creates the groups, without queries.
     *
     * @param results last nodes of the views
     */
    FlowGroups(final Collection<FlowNode> results)
    {
        views.addAll(results);
        views.removeIf(FlowNode.Source.class::isInstance);
    }

    /** Adds a query to the group with which it shares a view, or to a new group. */
    void add(final String query, final FlowNode result, final FlowOrder order)
    {
        final Set<FlowNode> sources = Collections.newSetFromMap(new IdentityHashMap<>());
        final Set<FlowNode> read = Collections.newSetFromMap(new IdentityHashMap<>());
        for (final FlowNode node : FlowNode.upstream(result))
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
        final Group group = groups.stream().filter(each -> each.queries.size() < MAX_QUERIES &&
            each.order.ordering() == order.ordering() && each.order.merged() == order.merged() &&
            each.order.values().equals(order.values()) &&
            each.sources.equals(sources) && read.stream().anyMatch(each.shared::contains)).findFirst()
            .orElseGet(() ->
            {
                final Group fresh = new Group(sources, order);
                groups.add(fresh);
                return fresh;
            });
        group.queries.add(query);
        group.shared.addAll(read);
    }

    /** The queries of each flow, in order of their first ones. */
    List<List<String>> all()
    {
        return groups.stream().map(group -> List.copyOf(group.queries)).toList();
    }
}
