package dev.millrace.cql.compiler.unit;

import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Finds the parts of a flow that become units: outputs that share state are in one unit, all others are separate.
 * Stateless.
 */
final class UnitPlanner
{
    /** Outputs that share state. */
    private record Part(Set<FlowNode> states, List<Integer> outputs)
    {
    }

    private UnitPlanner()
    {
    }

    /** Indexes of the outputs of each part, in the order of the plan. */
    static List<List<Integer>> parts(final List<FlowPlan.Output> queries)
    {
        List<Part> parts = new ArrayList<>();
        for (int i = 0; i < queries.size(); i++)
        {
            final Set<FlowNode> states = Collections.newSetFromMap(new IdentityHashMap<>());
            FlowNode.upstream(queries.get(i).input()).stream().filter(UnitPlanner::hasState)
                .forEach(states::add);
            final List<Integer> outputs = new ArrayList<>();
            final List<Part> apart = new ArrayList<>();
            for (final Part part : parts)
            {
                if (part.states().stream().anyMatch(states::contains))
                {
                    states.addAll(part.states());
                    outputs.addAll(part.outputs());
                }
                else
                {
                    apart.add(part);
                }
            }
            outputs.add(i);
            apart.add(new Part(states, outputs));
            parts = apart;
        }
        return parts.stream().map(Part::outputs).toList();
    }

    /** Whether readers of a node share its state; a window per reader is cheaper than a shared one. */
    private static boolean hasState(final FlowNode node)
    {
        return !(node instanceof FlowNode.Source || node instanceof FlowNode.Calc || node instanceof FlowNode.Window);
    }
}
