package dev.millrace.cql.compiler.unit;

import dev.millrace.cql.compiler.expression.TermMethods;
import dev.millrace.cql.compiler.unit.code.Words;
import dev.millrace.cql.compiler.unit.group.GroupCode;
import dev.millrace.cql.compiler.unit.join.JoinCode;
import dev.millrace.cql.compiler.unit.window.RangeWindowCode;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.WindowSpec;
import java.util.List;

/** Says which operators have text here; all others run in the operators of {@code runtime.flow}. Keeps no state. */
final class Supported
{
    /** Larger rows and expressions would make methods that Java never compiles. */
    private static final int MOST_COLUMNS = 64;
    private static final int MOST_OPERATIONS = 500;

    private Supported()
    {
    }

    /** Whether a unit can compute an output. */
    static boolean is(final FlowPlan.Output output)
    {
        final List<FlowNode> nodes = FlowNode.upstream(output.input());
        return (output.stream() || areWords(output.input())) && nodes.stream().allMatch(Supported::is) &&
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

    /** Whether changes can be netted. */
    private static boolean areWords(final FlowNode node)
    {
        return node.rows().types().stream().allMatch(Words::has);
    }

    private static boolean is(final FlowNode node)
    {
        if (node.rows().size() > MOST_COLUMNS && !(node instanceof FlowNode.Source))
        {
            return false;
        }
        if (node instanceof FlowNode.Source source)
        {
            return !source.relation();
        }
        if (node instanceof FlowNode.Window window)
        {
            return RangeWindowCode.rangeNs(window.window()) >= 0 || window.window() instanceof WindowSpec.Range;
        }
        if (node instanceof FlowNode.Group group)
        {
            return GroupCode.isSupported(group);
        }
        if (node instanceof FlowNode.Join join)
        {
            return JoinCode.isSupported(join);
        }
        if (node instanceof FlowNode.ToStream stream)
        {
            return stream.kind() != FlowNode.StreamKind.RSTREAM && stream.difference().isEmpty() && areWords(node);
        }
        return node instanceof FlowNode.Calc;
    }
}
