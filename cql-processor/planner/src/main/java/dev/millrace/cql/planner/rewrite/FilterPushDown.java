package dev.millrace.cql.planner.rewrite;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.expression.Conditions;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowNodeCopier;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.WindowSpec;
import dev.millrace.cql.planner.expression.ExpressionSubstitution;
import dev.millrace.cql.planner.expression.ExpressionTranslator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Moves the conditions of a flow towards its sources: through projections, time windows, joins, groups and set
 * operations, so that rows that no result needs are neither stored nor joined. Equalities of two columns that reach a
 * join become keys of the join.
 *
 * <p>The only observable differences are speed and size of state. A condition that can fail stays in its position; no
 * later condition moves past it, and no condition moves past a projection that can fail: the same rows are rejected as
 * before. A node with several consumers keeps its rows. Single use, not thread-safe.
 */
public final class FilterPushDown
{
    private final Map<FlowNode, Integer> consumers = new IdentityHashMap<>();
    private final Map<FlowNode, FlowNode> rewritten = new IdentityHashMap<>();
    /** Conditions that this class inserted, each of which has one consumer. */
    private final Set<FlowNode> filters = Collections.newSetFromMap(new IdentityHashMap<>());

    private FilterPushDown(final FlowPlan plan)
    {
        final Set<FlowNode> found = Collections.newSetFromMap(new IdentityHashMap<>());
        plan.outputs().forEach(output ->
        {
            consumers.merge(output.input(), 1, Integer::sum);
            FlowNode.upstream(output.input()).stream().filter(found::add)
                .forEach(node -> node.inputs().forEach(input -> consumers.merge(input, 1, Integer::sum)));
        });
    }

    /** The same flow with its conditions moved; its sources are the same objects. */
    public static FlowPlan apply(final FlowPlan plan)
    {
        final FilterPushDown all = new FilterPushDown(plan);
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
        final FlowNode made = below(node, List.of());
        rewritten.put(node, made);
        return made;
    }

    /** The rows of a node that satisfy conditions which cannot fail. */
    private FlowNode filtered(final FlowNode node, final List<Expression> conditions)
    {
        if (conditions.isEmpty())
        {
            return rewrite(node);
        }
        return consumers.get(node) > 1 ? above(rewrite(node), conditions) : below(node, conditions);
    }

    /** Adds conditions above a rewritten node. */
    private FlowNode above(final FlowNode node, final List<Expression> conditions)
    {
        if (conditions.isEmpty())
        {
            return node;
        }
        final FlowNode filter = calc(node, conditions, null);
        filters.add(filter);
        return filter;
    }

    /** A filter and projection, merged with a filter that this class inserted directly below. */
    private FlowNode.Calc calc(
        final FlowNode input, final List<Expression> conditions, final List<Field> fields)
    {
        if (!filters.contains(input))
        {
            return new FlowNode.Calc(input, ExpressionTranslator.all(conditions), fields);
        }
        final FlowNode.Calc filter = (FlowNode.Calc)input;
        final List<Expression> all = new ArrayList<>(Conditions.conjuncts(filter.condition()));
        all.addAll(conditions);
        return new FlowNode.Calc(filter.input(), ExpressionTranslator.all(all), fields);
    }

    private FlowNode below(final FlowNode node, final List<Expression> conditions)
    {
        if (node instanceof FlowNode.Calc calc)
        {
            return calc(calc, conditions);
        }
        if (node instanceof FlowNode.Join join)
        {
            return join.kind() == FlowNode.JoinKind.INNER && !Conditions.canFail(join.condition()) ?
                inner(join, conditions) : split(conditions, each -> isLeft(join, each) &&
                    !Conditions.canFail(join.condition()), (pass, stay) -> above(outer(join, pass), stay));
        }
        if (node instanceof FlowNode.SetOperation set)
        {
            final boolean isIn = set.kind() == FlowNode.SetKind.IN || set.kind() == FlowNode.SetKind.NOT_IN;
            return with(set, filtered(set.left(), conditions),
                isIn ? rewrite(set.right()) : filtered(set.right(), conditions));
        }
        if (node instanceof FlowNode.Group group)
        {
            final boolean canPass = group.aggregates().stream().allMatch(FlowNode.Aggregate::isOrderless);
            return split(conditions, each -> canPass && isOver(each, 0, group.keys().size()), (pass, stay) ->
                above(with(group, filtered(group.input(), pass.stream().map(each ->
                    ExpressionSubstitution.onColumns(each, group.keys()::get)).toList())), stay));
        }
        if (node instanceof FlowNode.Timed timed)
        {
            return split(conditions, each -> isOver(each, 0, timed.input().rows().size()),
                (pass, stay) -> above(with(timed, filtered(timed.input(), pass)), stay));
        }
        if (node.inputs().isEmpty())
        {
            return above(node, conditions);
        }
        final FlowNode input = node.inputs().get(0);
        return isPassed(node) ? with(node, filtered(input, conditions)) : above(with(node, rewrite(input)), conditions);
    }

    /** Whether a node with one input emits the same rows whether a condition is tested before or after it. */
    private static boolean isPassed(final FlowNode node)
    {
        if (node instanceof FlowNode.Window window)
        {
            return window.window() instanceof WindowSpec.Now || window.window() instanceof WindowSpec.Unbounded ||
                window.window() instanceof WindowSpec.Range;
        }
        return node instanceof FlowNode.Distinct || node instanceof FlowNode.Sort ||
            node instanceof FlowNode.Evaluate || node instanceof FlowNode.ToStream stream &&
            stream.kind() != FlowNode.StreamKind.RSTREAM && stream.difference().isEmpty();
    }

    /** Creates a node when some conditions move below it and others stay above it. */
    private interface Halves
    {
        FlowNode make(List<Expression> pass, List<Expression> stay);
    }

    private static FlowNode split(
        final List<Expression> conditions, final Predicate<Expression> passes, final Halves halves)
    {
        return halves.make(conditions.stream().filter(passes).toList(),
            conditions.stream().filter(passes.negate()).toList());
    }

    /** Whether a condition reads at least one column, and only columns of a range. */
    private static boolean isOver(final Expression condition, final int from, final int to)
    {
        return !ExpressionSubstitution.columns(condition).isEmpty() &&
            ExpressionSubstitution.isOver(condition, column -> column >= from && column < to);
    }

    private static boolean isLeft(final FlowNode.Join join, final Expression condition)
    {
        return isOver(condition, 0, join.left().rows().size());
    }

    private static boolean isRight(final FlowNode.Join join, final Expression condition)
    {
        return isOver(condition, join.left().rows().size(), join.rows().size());
    }

    private FlowNode calc(final FlowNode.Calc calc, final List<Expression> conditions)
    {
        final List<Expression> own = Conditions.conjuncts(calc.condition());
        int sure = 0;
        while (sure < own.size() && !Conditions.canFail(own.get(sure)))
        {
            sure++;
        }
        final List<Expression> pass = new ArrayList<>(own.subList(0, sure));
        final boolean canFail = sure < own.size() || calc.fields() != null &&
            calc.fields().stream().anyMatch(field -> Conditions.canFail(field.expression()));
        if (!canFail)
        {
            conditions.forEach(each -> pass.add(calc.fields() == null ? each :
                ExpressionSubstitution.replace(each, leaf ->
                calc.fields().get(((Expression.Column)leaf).column()).expression())));
        }
        final FlowNode input = filtered(calc.input(), pass);
        final List<Expression> rest = own.subList(sure, own.size());
        final boolean isSame = input == calc.input() && rest.size() == own.size();
        final FlowNode made = isSame ? calc : rest.isEmpty() && calc.fields() == null ? input :
            calc(input, rest, calc.fields());
        return canFail ? above(made, conditions) : made;
    }

    private FlowNode inner(final FlowNode.Join join, final List<Expression> conditions)
    {
        final int leftColumns = join.left().rows().size();
        final List<Expression> all = new ArrayList<>(Conditions.conjuncts(join.condition()));
        all.addAll(conditions);
        final List<Integer> leftKeys = new ArrayList<>(join.leftKeys());
        final List<Integer> rightKeys = new ArrayList<>(join.rightKeys());
        final List<Expression> left = new ArrayList<>();
        final List<Expression> right = new ArrayList<>();
        final List<Expression> rest = new ArrayList<>();
        for (final Expression each : all)
        {
            if (isLeft(join, each))
            {
                left.add(each);
            }
            else if (isRight(join, each))
            {
                right.add(ExpressionSubstitution.shifted(each, -leftColumns));
            }
            else if (isKey(each))
            {
                final int a = ((Expression.Column)((Expression.Call)each).arguments().get(0)).column();
                final int b = ((Expression.Column)((Expression.Call)each).arguments().get(1)).column();
                leftKeys.add(Math.min(a, b));
                rightKeys.add(Math.max(a, b) - leftColumns);
            }
            else
            {
                rest.add(each);
            }
        }
        return with(join, filtered(join.left(), left), filtered(join.right(), right), leftKeys, rightKeys, rest);
    }

    /**
     * Whether a condition over both sides of a join can be a key of the join: indexes compare floating-point numbers
     * differently.
     */
    private static boolean isKey(final Expression condition)
    {
        return condition instanceof Expression.Call call && call.operation() == Operation.EQUAL &&
            call.arguments().get(0) instanceof Expression.Column a &&
            call.arguments().get(1) instanceof Expression.Column b && a.type() == b.type() &&
            a.type() != CqlType.FLOAT && a.type() != CqlType.DOUBLE;
    }

    /**
     * A left outer join, or a join whose condition can fail: rows of the right side that cannot match are not stored.
     */
    private FlowNode outer(final FlowNode.Join join, final List<Expression> left)
    {
        final boolean canFail = Conditions.canFail(join.condition());
        final int leftColumns = join.left().rows().size();
        final List<Expression> right = new ArrayList<>();
        final List<Expression> rest = new ArrayList<>();
        Conditions.conjuncts(join.condition()).forEach(each ->
        {
            if (!canFail && isRight(join, each))
            {
                right.add(ExpressionSubstitution.shifted(each, -leftColumns));
            }
            else
            {
                rest.add(each);
            }
        });
        return with(join, filtered(join.left(), left), filtered(join.right(), right), join.leftKeys(),
            join.rightKeys(), rest);
    }

    private static FlowNode with(final FlowNode.Join join, final FlowNode left, final FlowNode right,
        final List<Integer> leftKeys, final List<Integer> rightKeys, final List<Expression> conditions)
    {
        final Expression condition = ExpressionTranslator.all(conditions);
        final boolean isSame = left == join.left() && right == join.right() &&
            conditions.equals(Conditions.conjuncts(join.condition())) && leftKeys.equals(join.leftKeys());
        return isSame ? join : new FlowNode.Join(left, right, join.kind(), leftKeys, rightKeys, condition);
    }

    private static FlowNode with(final FlowNode.SetOperation set, final FlowNode left, final FlowNode right)
    {
        return left == set.left() && right == set.right() ? set :
            new FlowNode.SetOperation(set.kind(), left, right);
    }

    /** A node with one input over another input with the same columns. */
    private static FlowNode with(final FlowNode node, final FlowNode input)
    {
        return FlowNodeCopier.with(node, List.of(input));
    }
}
