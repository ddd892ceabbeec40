package dev.millrace.cql.compiler.unit.group;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.unit.code.ExpressionRewriter;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowProperties;
import dev.millrace.cql.plan.flow.WindowSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** How rows leave the relation that a group reads. */
public enum GroupInput
{
    /** Never. */
    GROWING,
    /** All of them, at a multiple of a period, when those of the next period enter. */
    TUMBLING,
    /** In panes, for which each group stores its part of the aggregates: no row is stored. */
    PANES,
    /** In order of arrival. */
    FIFO,
    /** In any order, each at a time that is known when it enters. */
    TIMED,
    /** In any order. */
    ANY;

    /**
     * The input of a group.
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
        if (input instanceof FlowNode.Join join)
        {
            return join.kind() == FlowNode.JoinKind.INNER &&
                join.inputs().stream().allMatch(each -> isOfTime(each, early) && !isEmpty(each)) ? TIMED : ANY;
        }
        if (!(input instanceof FlowNode.Window window))
        {
            return ANY;
        }
        final WindowSpec spec = window.window();
        if (spec instanceof WindowSpec.Range range && range.slideNs() == range.rangeNs() && range.slideNs() > 1 &&
            !early.contains(window) && AggregateWords.areWords(group))
        {
            return TUMBLING;
        }
        if (spec instanceof WindowSpec.Range range && range.slideNs() > 1 && !early.contains(window) &&
            AggregateWords.areMerged(group))
        {
            return PANES;
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

    /**
     * Whether a relation is a time window, except for filters and projections: its rows leave in order of arrival, each
     * at a time that is known when it enters.
     *
     * @param early nodes from which rows may leave before their time
     */
    public static boolean isOfTime(final FlowNode node, final Set<FlowNode> early)
    {
        return origin(node) instanceof FlowNode.Window window && !early.contains(window) &&
            (window.window() instanceof WindowSpec.Now || window.window() instanceof WindowSpec.Unbounded ||
            window.window() instanceof WindowSpec.Range);
    }

    /** How long rows that enter at their time stay in a window, for a window that {@link #isOfTime}; 0 for others. */
    public static long rangeNs(final FlowNode node)
    {
        final WindowSpec window = ((FlowNode.Window)origin(node)).window();
        return window instanceof WindowSpec.Unbounded ? Long.MAX_VALUE : window instanceof WindowSpec.Now ? 1 :
            window instanceof WindowSpec.Range range && range.slideNs() <= 1 ? range.rangeNs() : 0;
    }

    /** Whether a relation is an unbounded stream, except for filters and projections. */
    public static boolean isGrowing(final FlowNode node, final Set<FlowNode> early)
    {
        return isOfTime(node, early) && ((FlowNode.Window)origin(node)).window() instanceof WindowSpec.Unbounded;
    }

    private static FlowNode origin(final FlowNode node)
    {
        return node instanceof FlowNode.Calc calc ? origin(calc.input()) : node;
    }

    /** Whether rows of a window leave at the time at which they enter. */
    private static boolean isEmpty(final FlowNode node)
    {
        return ((FlowNode.Window)origin(node)).window() instanceof WindowSpec.Range range && range.rangeNs() <= 0;
    }

    /**
     * The input as seen by its aggregates: those of a period only grow until they start again; panes leave in order of
     * arrival.
     */
    GroupInput ofAggregates()
    {
        return this == TUMBLING ? GROWING : this == PANES ? FIFO : this;
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
        final List<Expression> read = ExpressionRewriter.behind(calcs, row);
        return columns.stream().allMatch(column -> group.keys().stream().map(read::get).anyMatch(key ->
            key instanceof Expression.Column of && of.column() == column));
    }
}
