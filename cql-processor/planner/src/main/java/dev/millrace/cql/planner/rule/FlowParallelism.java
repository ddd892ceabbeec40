package dev.millrace.cql.planner.rule;

import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowRoute;
import java.util.List;
import java.util.Map;

/**
 * The order in which a rule runs as a flow.
 *
 * @param expression its partition expression as written, {@code null} without
 * @param values     the partition value of each partitioned source; empty if no source is partitioned
 * @param merged     whether the result is computed from the output of several engines
 */
public record FlowParallelism(
    OrderingConstraint ordering, String expression, Map<FlowNode.Source, Expression> values, boolean merged)
{
    /** The engines that receive the rows of each source. */
    public List<FlowRoute> routes(final List<FlowNode.Source> sources)
    {
        return sources.stream().map(source -> switch (ordering)
        {
            case PARTITION_ORDERED -> values.containsKey(source) ?
                FlowRoute.by(values.get(source)) : FlowRoute.TO_ALL;
            case UNORDERED -> source.relation() ? FlowRoute.TO_ALL : FlowRoute.TO_ANY;
            default -> FlowRoute.TO_ALL;
        }).toList();
    }
}
