package dev.millrace.cql.plan.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.ProcessorPlan.DomainJoin;
import java.util.ArrayList;
import java.util.List;

/**
 * Char columns that a flow puts out as they came in: where both share a dictionary, a string whose id came with its
 * batch goes out as that id. Keeps no state, safe for all threads.
 */
public final class CarriedStrings
{
    private CarriedStrings()
    {
    }

    /**
     * Finds the columns of a flow.
     *
     * @param plan the flow
     * @return pairs of a column of a channel and one of an output, each once
     */
    public static List<DomainJoin> of(final FlowPlan plan)
    {
        final List<DomainJoin> found = new ArrayList<>();
        for (final FlowPlan.Output output : plan.outputs())
        {
            final List<CqlType> types = output.input().rows().types();
            for (int column = 0; column < types.size(); column++)
            {
                if (types.get(column) == CqlType.CHAR)
                {
                    follow(output.input(), column, output, output.type().properties().get(column).name(), found);
                }
            }
        }
        return found.stream().distinct().toList();
    }

    private static void follow(final FlowNode node, final int column, final FlowPlan.Output output, final String name,
        final List<DomainJoin> found)
    {
        if (node instanceof FlowNode.Source source)
        {
            if (column < source.type().properties().size() && source.type() != output.type())
            {
                found.add(new DomainJoin(source.type(), source.type().properties().get(column).name(), output.type(),
                    name));
            }
        }
        else if (node instanceof FlowNode.Calc calc)
        {
            if (calc.fields() == null)
            {
                follow(calc.input(), column, output, name, found);
            }
            else if (calc.fields().get(column).expression() instanceof Expression.Column of)
            {
                follow(calc.input(), of.column(), output, name, found);
            }
        }
        else if (node instanceof FlowNode.Join join)
        {
            final int left = join.left().rows().size();
            follow(column < left ? join.left() : join.right(), column < left ? column : column - left, output, name,
                found);
        }
        else if (node instanceof FlowNode.Group group)
        {
            if (column < group.keys().size())
            {
                follow(group.input(), group.keys().get(column), output, name, found);
            }
        }
        else if (node instanceof FlowNode.Window || node instanceof FlowNode.TopN || node instanceof FlowNode.Sort ||
            node instanceof FlowNode.Distinct || node instanceof FlowNode.ToStream ||
            node instanceof FlowNode.Evaluate || node instanceof FlowNode.SetOperation)
        {
            node.inputs().forEach(input -> follow(input, column, output, name, found));
        }
    }
}
