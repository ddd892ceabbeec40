package dev.millrace.cql.planner.rewrite;

import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowNodeCopier;
import dev.millrace.cql.plan.flow.FlowPlan;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Replaces aggregates of a CASE without ELSE with aggregates with a filter:
 * {@code count(distinct case when c then x end)} becomes {@code count(distinct x) filter (where c)}, and
 * {@code count(case when c then 1 end)} becomes {@code count(*) filter (where c)}. Counts of one column can then share
 * their state.
 *
 * <p>Single use, not thread-safe.
 */
public final class CaseToFilterRewrite
{
    private final Map<FlowNode, FlowNode> rewritten = new IdentityHashMap<>();

    private CaseToFilterRewrite()
    {
    }

    /** The same flow with filters; its sources are the same objects. */
    public static FlowPlan apply(final FlowPlan plan)
    {
        final CaseToFilterRewrite all = new CaseToFilterRewrite();
        return new FlowPlan(plan.name(), plan.sources(), plan.outputs().stream().map(output -> new FlowPlan.Output(
            output.queryId(), all.rewrite(output.input()), output.stream(), output.type(), output.logical())).toList(),
            plan.ordering(), plan.routes());
    }

    private FlowNode rewrite(final FlowNode node)
    {
        final FlowNode known = rewritten.get(node);
        if (known != null)
        {
            return known;
        }
        final FlowNode copy = FlowNodeCopier.with(node, node.inputs().stream().map(this::rewrite).toList());
        final FlowNode made = copy instanceof FlowNode.Group group && group.input() instanceof FlowNode.Calc calc &&
            calc.fields() != null && group.aggregates().stream().anyMatch(each -> choice(each, calc) != null) ?
            new Filtered(calc).over(group) : copy;
        rewritten.put(node, made);
        return made;
    }

    /** The CASE that can become the filter of an aggregate, or {@code null}. */
    private static Expression.Case choice(final FlowNode.Aggregate aggregate, final FlowNode.Calc calc)
    {
        return aggregate.arguments().size() == 1 && aggregate.filter() == FlowNode.Aggregate.ALL_ROWS &&
            aggregate.isOrderless() &&
            calc.fields().get(aggregate.arguments().get(0)).expression() instanceof Expression.Case choice &&
            choice.values().size() == 1 && choice.otherwise() instanceof Expression.Literal none &&
            none.value() == null && (isColumn(choice) || isCountOfRows(aggregate, choice)) ? choice : null;
    }

    private static boolean isColumn(final Expression.Case choice)
    {
        return choice.values().get(0) instanceof Expression.Column column && column.type() == choice.type();
    }

    private static boolean isCountOfRows(final FlowNode.Aggregate aggregate, final Expression.Case choice)
    {
        return aggregate.function().equals("count") && !aggregate.distinct() &&
            choice.values().get(0) instanceof Expression.Literal literal && literal.value() != null;
    }

    /** The remaining columns of a group, and those of its filters. */
    private static final class Filtered
    {
        private final FlowNode.Calc calc;
        private final List<Field> fields = new ArrayList<>();

        Filtered(final FlowNode.Calc calc)
        {
            this.calc = calc;
        }

        FlowNode over(final FlowNode.Group group)
        {
            final List<Integer> keys = group.keys().stream().map(this::kept).toList();
            final List<FlowNode.Aggregate> aggregates = group.aggregates().stream().map(this::filtered).toList();
            return new FlowNode.Group(
                new FlowNode.Calc(calc.input(), calc.condition(), fields), keys, aggregates, group.rows());
        }

        private int kept(final int column)
        {
            return position(calc.fields().get(column));
        }

        private int column(final Expression expression)
        {
            return position(new Field(expression instanceof Expression.Column column ?
                calc.input().rows().names().get(column.column()) : "filter" + fields.size(), expression));
        }

        private int position(final Field field)
        {
            for (int i = 0; i < fields.size(); i++)
            {
                if (fields.get(i).expression().equals(field.expression()))
                {
                    return i;
                }
            }
            fields.add(field);
            return fields.size() - 1;
        }

        private FlowNode.Aggregate filtered(final FlowNode.Aggregate aggregate)
        {
            final Expression.Case choice = choice(aggregate, calc);
            final List<Integer> arguments = choice == null ? aggregate.arguments().stream().map(this::kept).toList() :
                isCountOfRows(aggregate, choice) ? List.of() : List.of(column(choice.values().get(0)));
            final int filter = choice != null ? column(choice.conditions().get(0)) :
                aggregate.filter() == FlowNode.Aggregate.ALL_ROWS ? aggregate.filter() : kept(aggregate.filter());
            return new FlowNode.Aggregate(
                aggregate.function(), arguments, aggregate.distinct(), aggregate.type(), filter);
        }
    }
}
