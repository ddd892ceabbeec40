package dev.millrace.cql.plan.flow;

import dev.millrace.cql.plan.expression.Conditions;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.PatternExpression;
import java.util.List;
import java.util.function.Function;

/**
 * Determines which columns of its inputs a node reads, given which of its output columns are read.
 *
 * <p>An operator finds a deleted row by its value. Rows that differ only in unread columns are interchangeable, unless
 * it is observable which of them was deleted: where the order of equal rows matters and they are not deleted in order
 * of insertion, or where rows of an instant cancel each other.
 */
final class ColumnPruning
{
    private final RowLifetimes lifetimes;
    private final Function<FlowNode, ColumnSet> columns;

    /**
     * @param columns the columns of a node that are read, to which others are added
     */
    ColumnPruning(final RowLifetimes lifetimes, final Function<FlowNode, ColumnSet> columns)
    {
        this.lifetimes = lifetimes;
        this.columns = columns;
    }

    /**
     * Adds the columns that a node reads to those of its inputs, and the columns that the node itself needs to its own.
     */
    void spread(final FlowNode node)
    {
        if (node instanceof FlowNode.Source source)
        {
            source(source);
        }
        else if (node instanceof FlowNode.Join join)
        {
            join(join);
        }
        else if (node instanceof FlowNode.SetOperation set)
        {
            set.inputs().forEach(input -> rows(set, input, set.kind() == FlowNode.SetKind.UNION_ALL));
        }
        else if (node instanceof FlowNode.Calc calc)
        {
            calc(calc);
        }
        else if (node instanceof FlowNode.Group group)
        {
            group(group);
        }
        else if (node instanceof FlowNode.Pull pull)
        {
            pull(pull);
        }
        else if (node instanceof FlowNode.Match match)
        {
            own(match).all();
            pattern(match.pattern(), input(match));
        }
        else
        {
            spreadRows(node);
        }
    }

    private ColumnSet own(final FlowNode node)
    {
        return columns.apply(node);
    }

    private ColumnSet input(final FlowNode node)
    {
        return columns.apply(node.inputs().get(0));
    }

    /** A relation is maintained by its key, or by whole rows if it has none. */
    private void source(final FlowNode.Source source)
    {
        own(source).addAll(source.primaryKey());
        if (source.relation() && source.primaryKey().isEmpty())
        {
            own(source).all();
        }
        if (source.elementTime())
        {
            own(source).add(source.rows().size() - 1);
        }
    }

    private void join(final FlowNode.Join join)
    {
        read(join.condition(), own(join));
        final ColumnSet left = columns.apply(join.left());
        final ColumnSet right = columns.apply(join.right());
        left.addAll(own(join), 0);
        right.addAll(own(join), join.left().rows().size());
        left.addAll(join.leftKeys());
        right.addAll(join.rightKeys());
    }

    /** An expression that cannot be computed rejects its row, whether or not the result is read. */
    private void calc(final FlowNode.Calc calc)
    {
        read(calc.condition(), input(calc));
        if (calc.fields() == null)
        {
            input(calc).addAll(own(calc), 0);
            return;
        }
        for (int i = 0; i < calc.fields().size(); i++)
        {
            final Expression value = calc.fields().get(i).expression();
            if (Conditions.canFail(value))
            {
                own(calc).add(i);
            }
            if (own(calc).contains(i))
            {
                read(value, input(calc));
            }
        }
    }

    private void group(final FlowNode.Group group)
    {
        own(group).all();
        input(group).addAll(group.keys());
        group.aggregates().forEach(aggregate ->
        {
            input(group).addAll(aggregate.arguments());
            if (aggregate.filter() != FlowNode.Aggregate.ALL_ROWS)
            {
                input(group).add(aggregate.filter());
            }
        });
        if (!group.aggregates().stream().allMatch(FlowNode.Aggregate::isOrderless) && !lifetimes.isFifo(group.input()))
        {
            input(group).all();
        }
    }

    /** The rows found for an inserted row are deleted with it, even if a lookup would find different rows by then. */
    private void pull(final FlowNode.Pull pull)
    {
        final int columns = pull.input().rows().size();
        for (int i = columns; i < pull.rows().size(); i++)
        {
            own(pull).add(i);
        }
        input(pull).addAll(own(pull), 0);
        pull.keys().forEach(key -> read(key, input(pull)));
        if (!lifetimes.isFifo(pull.input()))
        {
            input(pull).all();
        }
    }

    private void spreadRows(final FlowNode node)
    {
        if (node instanceof FlowNode.Window window)
        {
            rows(window, window.input(), true);
            window(window.window(), input(window));
        }
        else if (node instanceof FlowNode.ToStream stream)
        {
            final boolean isNetted = stream.kind() == FlowNode.StreamKind.RSTREAM ?
                !lifetimes.isOfInstant(stream.input()) :
                !stream.difference().isEmpty() || !lifetimes.isGrowing(stream.input());
            rows(stream, stream.input(), !isNetted);
        }
        else if (node instanceof FlowNode.Sort sort)
        {
            rows(sort, sort.input(), true);
            sort.keys().forEach(key -> input(sort).add(key.column()));
        }
        else if (node instanceof FlowNode.TopN top)
        {
            rows(top, top.input(), lifetimes.isFifo(top.input()));
            top.keys().forEach(key -> input(top).add(key.column()));
            input(top).addAll(top.partitionBy());
        }
        else if (node instanceof FlowNode.Timed timed)
        {
            own(timed).add(timed.input().rows().size());
            input(timed).addAll(own(timed), 0);
        }
        else
        {
            rows(node, node.inputs().get(0), node instanceof FlowNode.Evaluate);
        }
    }

    /** A node that passes rows on, or compares whole rows. */
    private void rows(final FlowNode node, final FlowNode input, final boolean someColumns)
    {
        if (!someColumns)
        {
            own(node).all();
        }
        columns.apply(input).addAll(own(node), 0);
    }

    private static void window(final WindowSpec window, final ColumnSet columns)
    {
        if (window instanceof WindowSpec.ValueRange range)
        {
            columns.add(range.column());
        }
        else if (window instanceof WindowSpec.Partition partition)
        {
            columns.addAll(partition.partitionBy());
        }
        else if (window instanceof WindowSpec.Until until)
        {
            columns.add(until.column());
        }
        else if (window instanceof WindowSpec.Session session)
        {
            columns.addAll(session.partitionBy());
        }
    }

    private static void pattern(final PatternSpec pattern, final ColumnSet columns)
    {
        columns.addAll(pattern.partitionBy());
        if (pattern.durationColumn() >= 0)
        {
            columns.add(pattern.durationColumn());
        }
        pattern.conditions().forEach(condition -> read(condition, columns));
        pattern.measures().stream().map(Field::expression).forEach(measure -> read(measure, columns));
    }

    private static void read(final Expression expression, final ColumnSet columns)
    {
        if (expression instanceof PatternExpression.Navigation navigation)
        {
            columns.add(navigation.column());
        }
        else if (expression instanceof PatternExpression.RowColumn own)
        {
            columns.add(own.column());
        }
        else if (expression instanceof Expression.Column column)
        {
            columns.add(column.column());
        }
        else if (expression instanceof PatternExpression.Aggregate aggregate)
        {
            readEach(aggregate.arguments(), columns);
        }
        else if (expression instanceof Expression.Call call)
        {
            readEach(call.arguments(), columns);
        }
        else if (expression instanceof Expression.FunctionCall call)
        {
            readEach(call.arguments(), columns);
        }
        else if (expression instanceof Expression.Case choice)
        {
            readEach(choice.conditions(), columns);
            readEach(choice.values(), columns);
            read(choice.otherwise(), columns);
        }
    }

    private static void readEach(final List<Expression> expressions, final ColumnSet columns)
    {
        expressions.forEach(expression -> read(expression, columns));
    }
}
