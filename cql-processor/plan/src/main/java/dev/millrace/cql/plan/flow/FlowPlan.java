package dev.millrace.cql.plan.flow;

import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import java.util.Collections;
import java.util.List;

/**
 * Queries that share sources and nodes: the unit that one engine runs, or several engines in parallel.
 *
 * @param name     name for messages, composed of the ids of its queries
 * @param sources  sources that feed it
 * @param outputs  one per query
 * @param ordering required order of the output; several engines run the plan unless it is ORDERED
 * @param routes   one per source: the engines that receive its rows
 */
public record FlowPlan(
    String name,
    List<FlowNode.Source> sources,
    List<Output> outputs,
    OrderingConstraint ordering,
    List<FlowRoute> routes)
{
    /** Copies the lists. */
    public FlowPlan
    {
        sources = List.copyOf(sources);
        outputs = List.copyOf(outputs);
        routes = List.copyOf(routes);
        if (routes.size() != sources.size())
        {
            throw new IllegalArgumentException("every source needs a route, flow=" + name + " sources=" +
                sources.size() + " routes=" + routes.size());
        }
    }

    /**
     * A flow that one engine runs in order.
     *
     * @param name    name for messages
     * @param sources sources that feed it
     * @param outputs one per query
     */
    public FlowPlan(final String name, final List<FlowNode.Source> sources, final List<Output> outputs)
    {
        this(name, sources, outputs, OrderingConstraint.ORDERED,
            Collections.nCopies(sources.size(), FlowRoute.TO_ALL));
    }

    /**
     * The end of a query.
     *
     * @param input   its last node
     * @param stream  whether it is a stream (inserts only) or a relation (inserts and deletes, netted per instant)
     * @param type    row type of its output, one property per column, in order
     * @param logical its last node as the rule specifies it, before conditions are moved: where conditions run depends
     *     on other readers of the nodes below, the computed result does not
     */
    public record Output(String queryId, FlowNode input, boolean stream, EventType type, FlowNode logical)
    {
        /** The end of a query that runs as its rule specifies. */
        public Output(final String queryId, final FlowNode input, final boolean stream, final EventType type)
        {
            this(queryId, input, stream, type, input);
        }
    }
}
