package dev.millrace.cql.planner;

import dev.millrace.cql.language.semantic.SourceInfo;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.List;
import org.apache.calcite.rex.RexNode;

/**
 * Something in FROM that is asked for rows. Immutable.
 *
 * @param info      its columns
 * @param kind      what is asked
 * @param arguments what it is asked with, over the columns of all sources before it; empty for caches and tables, which
 *                  are asked with what WHERE compares their columns to
 * @param details   constants of the kind
 */
record Pulled(SourceInfo info, FlowNode.PullKind kind, List<RexNode> arguments, List<Object> details)
{
    Pulled
    {
        arguments = List.copyOf(arguments);
        details = List.copyOf(details);
    }
}
