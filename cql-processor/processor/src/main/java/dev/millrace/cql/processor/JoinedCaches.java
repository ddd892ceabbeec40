package dev.millrace.cql.processor;

import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.processor.unit.ExecutionUnit;
import java.util.HashSet;
import java.util.Set;

/** Finds the caches and tables that a pipeline or flow joins. Stateless. */
final class JoinedCaches
{
    private JoinedCaches()
    {
    }

    /** Ids of the caches, as its rules write them. */
    static Set<String> of(final ExecutionUnit unit)
    {
        if (unit.isPipeline())
        {
            final Set<String> found = new HashSet<>();
            unit.pipeline().roots().forEach(root -> collect(root, found));
            return found;
        }
        return pulled(unit, FlowNode.PullKind.CACHE);
    }

    /** Names of the tables, as its rules write them. */
    static Set<String> tables(final ExecutionUnit unit)
    {
        return unit.isPipeline() ? Set.of() : pulled(unit, FlowNode.PullKind.TABLE);
    }

    private static Set<String> pulled(final ExecutionUnit unit, final FlowNode.PullKind kind)
    {
        final Set<String> found = new HashSet<>();
        for (final FlowPlan.Output output : unit.flowPlan().outputs())
        {
            for (final FlowNode node : FlowNode.upstream(output.input()))
            {
                if (node instanceof FlowNode.Pull pull && pull.kind() == kind)
                {
                    found.add(pull.source());
                }
            }
        }
        return found;
    }

    private static void collect(final Operator operator, final Set<String> found)
    {
        if (operator instanceof Operator.LookupJoin join)
        {
            found.add(join.relation().id());
        }
        operator.consumers().forEach(consumer -> collect(consumer, found));
    }
}
