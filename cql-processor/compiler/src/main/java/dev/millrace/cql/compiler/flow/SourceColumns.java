package dev.millrace.cql.compiler.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.PatternExpression;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.runtime.flow.RowLayout;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which columns of a channel are read at all. A pattern keeps rows of a partition for as long as the partition is
 * there, so that rows of a channel that only patterns read have no room for other columns. Immutable after it is made.
 */
final class SourceColumns
{
    private final Map<FlowNode, boolean[]> read = new IdentityHashMap<>();

    SourceColumns(final FlowPlan plan)
    {
        for (final FlowPlan.Output output : plan.outputs())
        {
            readAll(output.input());
            for (final FlowNode node : FlowNode.upstream(output.input()))
            {
                for (final FlowNode input : node.inputs())
                {
                    if (node instanceof FlowNode.Match match && input instanceof FlowNode.Source source)
                    {
                        read(match.pattern(), columns(source));
                    }
                    else
                    {
                        readAll(input);
                    }
                }
            }
        }
    }

    private boolean[] columns(final FlowNode.Source source)
    {
        return read.computeIfAbsent(source, each ->
        {
            final boolean[] columns = new boolean[source.rows().size()];
            source.primaryKey().forEach(column -> columns[column] = true);
            if (source.relation())
            {
                Arrays.fill(columns, true);
            }
            else if (source.elementTime())
            {
                columns[columns.length - 1] = true;
            }
            return columns;
        });
    }

    private void readAll(final FlowNode node)
    {
        if (node instanceof FlowNode.Source source)
        {
            Arrays.fill(columns(source), true);
        }
    }

    private static void read(final PatternSpec pattern, final boolean[] columns)
    {
        pattern.partitionBy().forEach(column -> columns[column] = true);
        if (pattern.durationColumn() >= 0)
        {
            columns[pattern.durationColumn()] = true;
        }
        pattern.conditions().forEach(condition -> read(condition, columns));
        pattern.measures().forEach(measure -> read(measure.expression(), columns));
    }

    private static void read(final Expression expression, final boolean[] columns)
    {
        if (expression instanceof PatternExpression.Navigation navigation)
        {
            columns[navigation.column()] = true;
        }
        else if (expression instanceof PatternExpression.RowColumn own)
        {
            columns[own.column()] = true;
        }
        else if (expression instanceof Expression.Column column)
        {
            columns[column.column()] = true;
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

    private static void readEach(final List<Expression> expressions, final boolean[] columns)
    {
        expressions.forEach(expression -> read(expression, columns));
    }

    /** Where the columns of a node's rows lie. */
    RowLayout layout(final FlowNode node)
    {
        final CqlType[] types = node.rows().types().toArray(new CqlType[0]);
        final boolean[] columns = read.get(node);
        return columns == null ? new RowLayout(types) : new RowLayout(types, columns);
    }
}
