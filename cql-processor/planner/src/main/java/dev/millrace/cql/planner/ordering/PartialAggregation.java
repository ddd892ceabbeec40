package dev.millrace.cql.planner.ordering;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.RowType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A group over rows that are on different engines: each engine computes its part of every aggregate, and one engine
 * combines the parts. This applies only to aggregates whose value is exactly the same: sums of floating-point numbers
 * depend on the order of rows.
 *
 * <p>Not thread-safe; used for one node.
 */
final class PartialAggregation
{
    private final FlowNode.Group group;
    private final List<FlowNode.Aggregate> parts = new ArrayList<>();
    private final List<FlowNode.Aggregate> sums = new ArrayList<>();
    private final List<Field> fields = new ArrayList<>();

    private PartialAggregation(final FlowNode.Group group)
    {
        this.group = group;
    }

    /** The parts of a group; {@code null} for other nodes, and for groups whose aggregates cannot be combined. */
    static PartialAggregation of(final FlowNode node, final Function<FlowNode, Distribution> placements)
    {
        if (!(node instanceof FlowNode.Group group) || placements.apply(group.input()).merged() ||
            placements.apply(group.input()).everywhere())
        {
            return null;
        }
        final PartialAggregation made = new PartialAggregation(group);
        for (int i = 0; i < group.keys().size(); i++)
        {
            made.field(i, made.column(i, group.rows().types().get(i)));
        }
        return group.aggregates().stream().allMatch(aggregate ->
            made.add(aggregate, placements.apply(group.input()))) ? made : null;
    }

    private void field(final int index, final Expression value)
    {
        fields.add(new Field(group.rows().names().get(index), value));
    }

    private Expression column(final int index, final CqlType type)
    {
        return new Expression.Column(index, type, true);
    }

    private boolean add(final FlowNode.Aggregate aggregate, final Distribution rows)
    {
        // Each distinct value counts on one engine only.
        if (aggregate.distinct() && !rows.keepsTogether(aggregate.arguments()))
        {
            return false;
        }
        final int index = fields.size();
        final CqlType type = aggregate.type();
        final CqlType argument = aggregate.arguments().isEmpty() ? null :
            group.input().rows().types().get(aggregate.arguments().get(0));
        final boolean isWhole = argument == CqlType.INT || argument == CqlType.BIGINT;
        switch (aggregate.function())
        {
            case "count" ->
            {
                final Expression count = part(aggregate, "sum");
                field(index, new Expression.Case(List.of(isNull(count)), List.of(new Expression.Literal(
                    type == CqlType.INT ? (Object)0 : (Object)0L, type)), count, type));
                return type == CqlType.INT || type == CqlType.BIGINT;
            }
            case "sum" ->
            {
                field(index, part(aggregate, "sum"));
                return isWhole && (type == CqlType.INT || type == CqlType.BIGINT);
            }
            case "min", "max" ->
            {
                field(index, part(aggregate, aggregate.function()));
                return true;
            }
            case "avg" ->
            {
                field(index, average(aggregate));
                return argument == CqlType.INT && (type == CqlType.FLOAT || type == CqlType.DOUBLE);
            }
            default ->
            {
                return false;
            }
        }
    }

    /** An average of ints: their sum is exact in a long. */
    private Expression average(final FlowNode.Aggregate aggregate)
    {
        final Expression sum = part(new FlowNode.Aggregate(
            "sum", aggregate.arguments(), aggregate.distinct(), CqlType.BIGINT, aggregate.filter()), "sum");
        final Expression count = part(new FlowNode.Aggregate(
            "count", aggregate.arguments(), aggregate.distinct(), CqlType.BIGINT, aggregate.filter()), "sum");
        final Expression mean = new Expression.Call(Operation.DIVIDE,
            List.of(converted(sum, CqlType.DOUBLE), converted(count, CqlType.DOUBLE)), CqlType.DOUBLE, true);
        return new Expression.Case(List.of(isNull(sum)), List.of(new Expression.Literal(null, aggregate.type())),
            aggregate.type() == CqlType.DOUBLE ? mean : converted(mean, aggregate.type()), aggregate.type());
    }

    private static Expression converted(final Expression value, final CqlType type)
    {
        return new Expression.Call(Operation.CONVERT, List.of(value), type, true);
    }

    private static Expression isNull(final Expression value)
    {
        return new Expression.Call(Operation.IS_NULL, List.of(value), CqlType.BOOLEAN, false);
    }

    /** Lets the engines compute a part, and returns the combined value of all parts. */
    private Expression part(final FlowNode.Aggregate part, final String function)
    {
        final int column = group.keys().size() + parts.size();
        parts.add(part);
        sums.add(new FlowNode.Aggregate(
            function, List.of(column), false, part.type(), FlowNode.Aggregate.ALL_ROWS));
        return column(column, part.type());
    }

    private RowType rows()
    {
        final List<String> names = new ArrayList<>();
        final List<CqlType> types = new ArrayList<>();
        for (int i = 0; i < group.keys().size(); i++)
        {
            names.add(group.rows().names().get(i));
            types.add(group.rows().types().get(i));
        }
        for (int i = 0; i < parts.size(); i++)
        {
            names.add("part" + i);
            types.add(parts.get(i).type());
        }
        return new RowType(names, types);
    }

    /** The part that each engine computes. */
    FlowNode part()
    {
        return new FlowNode.Group(group.input(), group.keys(), parts, rows());
    }

    /** The group over the parts of all engines. */
    FlowNode whole(final FlowNode all)
    {
        return new FlowNode.Calc(new FlowNode.Group(all, IntStream.range(0, group.keys().size()).boxed().toList(), sums,
            rows()), null, fields);
    }
}
