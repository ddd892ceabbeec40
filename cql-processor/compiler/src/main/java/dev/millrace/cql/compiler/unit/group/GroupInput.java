package dev.millrace.cql.compiler.unit.group;

import dev.millrace.cql.compiler.unit.window.RangeWindowCode;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowProperties;
import dev.millrace.cql.plan.flow.WindowSpec;

/** How rows leave the relation that a group reads. */
public enum GroupInput
{
    /** Not at all. */
    GROWING,
    /** In the order in which they came. */
    FIFO,
    /** In any order. */
    ANY;

    /** That of a group. */
    public static GroupInput of(final FlowNode.Group group, final FlowProperties properties)
    {
        if (properties.isGrowing(group.input()))
        {
            return GROWING;
        }
        FlowNode input = group.input();
        while (input instanceof FlowNode.Calc calc)
        {
            input = calc.input();
        }
        if (!(input instanceof FlowNode.Window window))
        {
            return ANY;
        }
        final long rangeNs = RangeWindowCode.rangeNs(window.window());
        return rangeNs >= 0 || window.window() instanceof WindowSpec.Range ? FIFO : ANY;
    }
}
