package dev.millrace.cql.plan.flow;

import dev.millrace.api.event.EventType;
import java.util.List;

/**
 * Queries that share sources and nodes: the unit that one engine runs.
 *
 * @param name    for messages, made of the ids of its queries
 * @param sources what feeds it
 * @param outputs one a query
 */
public record FlowPlan(String name, List<FlowNode.Source> sources, List<Output> outputs)
{
    /** Copies the lists. */
    public FlowPlan
    {
        sources = List.copyOf(sources);
        outputs = List.copyOf(outputs);
    }

    /**
     * The end of a query.
     *
     * @param queryId  id of the query
     * @param input    its last node
     * @param stream   whether it is a stream (inserts only) or a relation (inserts and deletes, netted an instant)
     * @param type     row type of its output, one property a column in order
     */
    public record Output(String queryId, FlowNode input, boolean stream, EventType type)
    {
    }
}
