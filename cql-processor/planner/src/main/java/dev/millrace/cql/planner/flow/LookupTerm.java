package dev.millrace.cql.planner.flow;

import dev.millrace.cql.language.semantic.SourceInfo;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.List;
import org.apache.calcite.rex.RexNode;

/**
 * A lookup source in FROM. Immutable.
 *
 * @param info      its columns
 * @param arguments arguments of the lookup, over the columns of all preceding sources; empty for caches and tables,
 *     whose lookup values are those that WHERE compares with their columns
 * @param details   constants of the kind
 */
record LookupTerm(SourceInfo info, FlowNode.PullKind kind, List<RexNode> arguments, List<Object> details)
{
    LookupTerm
    {
        arguments = List.copyOf(arguments);
        details = List.copyOf(details);
    }
}
