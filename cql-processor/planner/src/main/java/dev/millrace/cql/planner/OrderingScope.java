package dev.millrace.cql.planner;

import dev.millrace.cql.language.semantic.SourceInfo;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.List;

/**
 * A source of FROM as a partition expression sees it.
 *
 * @param names what the statement calls it, the alias first
 * @param info  its columns
 * @param node  its rows, with these columns first
 */
record OrderingScope(List<String> names, SourceInfo info, FlowNode node)
{
    /** Copies the list. */
    OrderingScope
    {
        names = List.copyOf(names);
    }

    /** The rows of a planned part. */
    static OrderingScope of(final String alias, final SourceInfo info, final FlowRule rule)
    {
        return new OrderingScope(List.of(alias, info.name()), info, rule.result());
    }
}
