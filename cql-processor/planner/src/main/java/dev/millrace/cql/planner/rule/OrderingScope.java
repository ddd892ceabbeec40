package dev.millrace.cql.planner.rule;

import dev.millrace.cql.language.semantic.SourceInfo;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.List;

/**
 * A source of FROM that a partition expression can refer to.
 *
 * @param names names of the source in the statement, the alias first
 * @param info  columns of the source
 * @param node  rows of the source, with these columns first
 */
public record OrderingScope(List<String> names, SourceInfo info, FlowNode node)
{
    /** Copies the list. */
    public OrderingScope
    {
        names = List.copyOf(names);
    }

    /** The rows of a planned part. */
    public static OrderingScope of(final String alias, final SourceInfo info, final FlowRule rule)
    {
        return new OrderingScope(List.of(alias, info.name()), info, rule.result());
    }
}
