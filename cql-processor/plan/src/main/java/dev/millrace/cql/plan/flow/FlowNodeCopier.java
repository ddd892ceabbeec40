package dev.millrace.cql.plan.flow;

import java.util.List;

/** Copies nodes of a flow with other inputs. Stateless. */
public final class FlowNodeCopier
{
    private FlowNodeCopier()
    {
    }

    /** The node with inputs that have the same columns; the node itself if the inputs are unchanged. */
    public static FlowNode with(final FlowNode node, final List<FlowNode> inputs)
    {
        if (isOver(node, inputs))
        {
            return node;
        }
        if (node instanceof FlowNode.Join join)
        {
            return new FlowNode.Join(inputs.get(0), inputs.get(1), join.kind(), join.leftKeys(), join.rightKeys(),
                join.condition());
        }
        if (node instanceof FlowNode.SetOperation set)
        {
            return new FlowNode.SetOperation(set.kind(), inputs.get(0), inputs.get(1));
        }
        return with(node, inputs.get(0));
    }

    private static boolean isOver(final FlowNode node, final List<FlowNode> inputs)
    {
        for (int i = 0; i < inputs.size(); i++)
        {
            if (node.inputs().get(i) != inputs.get(i))
            {
                return false;
            }
        }
        return true;
    }

    private static FlowNode with(final FlowNode node, final FlowNode input)
    {
        if (node instanceof FlowNode.Calc calc)
        {
            return new FlowNode.Calc(input, calc.condition(), calc.fields());
        }
        if (node instanceof FlowNode.Window window)
        {
            return new FlowNode.Window(input, window.window());
        }
        if (node instanceof FlowNode.Group group)
        {
            return new FlowNode.Group(input, group.keys(), group.aggregates(), group.rows());
        }
        if (node instanceof FlowNode.Sort sort)
        {
            return new FlowNode.Sort(input, sort.keys());
        }
        if (node instanceof FlowNode.TopN top)
        {
            return new FlowNode.TopN(input, top.keys(), top.limit(), top.partitionBy());
        }
        if (node instanceof FlowNode.ToStream stream)
        {
            return new FlowNode.ToStream(input, stream.kind(), stream.difference());
        }
        if (node instanceof FlowNode.Pull pull)
        {
            return new FlowNode.Pull(
                input, pull.kind(), pull.source(), pull.pulled(), pull.keys(), pull.keyColumns(), pull.details());
        }
        if (node instanceof FlowNode.Match match)
        {
            return new FlowNode.Match(input, match.pattern());
        }
        return node instanceof FlowNode.Evaluate evaluate ? new FlowNode.Evaluate(input, evaluate.periodNs()) :
            node instanceof FlowNode.Timed ? new FlowNode.Timed(input) : new FlowNode.Distinct(input);
    }
}
