package dev.millrace.cql.plan.flow;

import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.OrderingConstraint;
import java.util.Collections;
import java.util.List;

/**
 * Queries that share sources and nodes: the unit that one engine runs, or several beside each other.
 *
 * @param name     for messages, made of the ids of its queries
 * @param sources  what feeds it
 * @param outputs  one a query
 * @param ordering what order its output has to keep; several engines run it unless it is ORDERED
 * @param routes   one a source: which engines take its rows
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
            throw new IllegalArgumentException("each source has a route, flow=" + name + " sources=" +
                sources.size() + " routes=" + routes.size());
        }
    }

    /**
     * A flow that one engine runs in order.
     *
     * @param name    for messages
     * @param sources what feeds it
     * @param outputs one a query
     */
    public FlowPlan(final String name, final List<FlowNode.Source> sources, final List<Output> outputs)
    {
        this(name, sources, outputs, OrderingConstraint.ORDERED,
            Collections.nCopies(sources.size(), FlowRoute.TO_ALL));
    }

    /**
     * The end of a query.
     *
     * @param queryId  id of the query
     * @param input    its last node
     * @param stream   whether it is a stream (inserts only) or a relation (inserts and deletes, netted an instant)
     * @param type     row type of its output, one property a column in order
     * @param logical  its last node as the rule says, before conditions were moved: where they run depends on who else
     *                 reads the nodes below them, what the query computes does not
     */
    public record Output(String queryId, FlowNode input, boolean stream, EventType type, FlowNode logical)
    {
        /**
         * The end of a query that runs as its rule says.
         *
         * @param queryId id of the query
         * @param input   its last node
         * @param stream  whether it is a stream or a relation
         * @param type    row type of its output, one property a column in order
         */
        public Output(final String queryId, final FlowNode input, final boolean stream, final EventType type)
        {
            this(queryId, input, stream, type, input);
        }
    }
}
