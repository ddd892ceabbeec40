package dev.millrace.cql.planner;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.List;

/**
 * A rule planned as a flow, or a part of one. Immutable.
 *
 * @param names    names of its columns
 * @param types    their types
 * @param relation its rows as a relation
 * @param stream   its rows as a stream; {@code null} when it is none
 */
record FlowRule(List<String> names, List<CqlType> types, FlowNode relation, FlowNode stream)
{
    /** Whether it is a stream: its relation only grows, or a relation-to-stream operator stands around it. */
    boolean isStream()
    {
        return stream != null;
    }

    /** The end of it. */
    FlowNode result()
    {
        return stream == null ? relation : stream;
    }
}
