package dev.millrace.cql.compiler.unit;

import dev.millrace.cql.compiler.expression.TermMethods;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import java.util.List;

/** Says which operators have text here; all others run in the operators of {@code runtime.flow}. Keeps no state. */
final class Supported
{
    /** Larger rows and expressions would make methods that Java never compiles. */
    private static final int MOST_COLUMNS = 128;
    private static final int MOST_OPERATIONS = 500;

    private Supported()
    {
    }

    /** Whether a unit can compute an output. */
    static boolean is(final FlowPlan.Output output)
    {
        final List<FlowNode> nodes = FlowNode.upstream(output.input());
        return nodes.stream().allMatch(Supported::is) &&
            nodes.stream().mapToInt(Supported::operations).sum() <= MOST_OPERATIONS;
    }

    private static int operations(final FlowNode node)
    {
        if (node instanceof FlowNode.Join join)
        {
            return join.condition() == null ? 0 : TermMethods.operations(join.condition());
        }
        if (!(node instanceof FlowNode.Calc calc))
        {
            return 0;
        }
        return (calc.condition() == null ? 0 : TermMethods.operations(calc.condition())) +
            (calc.fields() == null ? 0 :
            calc.fields().stream().mapToInt(field -> TermMethods.operations(field.expression())).sum());
    }

    private static boolean is(final FlowNode node)
    {
        if (node.rows().size() > MOST_COLUMNS && !(node instanceof FlowNode.Source))
        {
            return false;
        }
        return !(node instanceof FlowNode.Match);
    }
}
