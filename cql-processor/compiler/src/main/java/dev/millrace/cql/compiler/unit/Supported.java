package dev.millrace.cql.compiler.unit;

import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;

/** Says which operators have text here; all others run in the operators of {@code runtime.flow}. Keeps no state. */
final class Supported
{
    private Supported()
    {
    }

    /** Whether a unit can compute an output. */
    static boolean is(final FlowPlan.Output output)
    {
        return FlowNode.upstream(output.input()).stream().noneMatch(node -> node instanceof FlowNode.Match);
    }
}
