package dev.millrace.cql.compiler.unit.group;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowProperties;
import dev.millrace.cql.plan.flow.WindowSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** How rows leave the relation that a group reads. */
public enum GroupInput
{
    /** Not at all. */
    GROWING,
    /** All of them, at a multiple of a period, when those of the next period enter. */
    TUMBLING,
    /** In the order in which they came. */
    FIFO,
    /** In any order. */
    ANY;

    /**
     * That of a group.
     *
     * @param early nodes from which rows may leave before their time
     */
    public static GroupInput of(
        final FlowNode.Group group, final FlowProperties properties, final Set<FlowNode> early)
    {
        if (properties.isGrowing(group.input()))
        {
            return GROWING;
        }
        FlowNode input = group.input();
        final List<FlowNode.Calc> calcs = new ArrayList<>();
        while (input instanceof FlowNode.Calc calc)
        {
            calcs.add(0, calc);
            input = calc.input();
        }
        if (!(input instanceof FlowNode.Window window))
        {
            return ANY;
        }
        final WindowSpec spec = window.window();
        if (spec instanceof WindowSpec.Range range && range.slideNs() == range.rangeNs() && range.slideNs() > 1 &&
            !early.contains(window) && AggregatesCode.areWords(group))
        {
            return TUMBLING;
        }
        if (spec instanceof WindowSpec.Partition partition)
        {
            return hasKeys(group, calcs, window.rows().types(), partition.partitionBy()) ? FIFO : ANY;
        }
        if (spec instanceof WindowSpec.Session session)
        {
            return hasKeys(group, calcs, window.rows().types(), session.partitionBy()) ? FIFO : ANY;
        }
        return spec instanceof WindowSpec.Until ? ANY : FIFO;
    }

    /** What its aggregates see: those of a period only grow until they begin anew. */
    GroupInput ofAggregates()
    {
        return this == TUMBLING ? GROWING : this;
    }

    /** Whether all rows of a group have the same values of some columns of the window. */
    private static boolean hasKeys(final FlowNode.Group group, final List<FlowNode.Calc> calcs,
        final List<CqlType> types, final List<Integer> columns)
    {
        final List<Expression> row = new ArrayList<>();
        for (int i = 0; i < types.size(); i++)
        {
            row.add(new Expression.Column(i, types.get(i), true));
        }
        final List<Expression> read = GroupChangeCode.behind(calcs, row);
        return columns.stream().allMatch(column -> group.keys().stream().map(read::get).anyMatch(key ->
            key instanceof Expression.Column of && of.column() == column));
    }
}
