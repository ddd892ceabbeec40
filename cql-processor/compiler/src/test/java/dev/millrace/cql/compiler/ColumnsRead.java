package dev.millrace.cql.compiler;

import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Input columns that an operator needs for its own output and that of its consumers: the others are never computed. */
final class ColumnsRead
{
    private ColumnsRead()
    {
    }

    static Set<Integer> of(final Operator operator, final int columns)
    {
        final Set<Integer> read = new HashSet<>();
        final List<Expression> expressions = new ArrayList<>();
        if (operator instanceof Operator.Output)
        {
            for (int i = 0; i < columns; i++)
            {
                read.add(i);
            }
        }
        else if (operator instanceof Operator.Calc calc)
        {
            expressions.add(calc.condition());
            expressions.addAll(needed(calc, calc.fields()));
        }
        else if (operator instanceof Operator.LookupJoin join)
        {
            expressions.add(join.key());
            expressions.add(join.condition());
            expressions.addAll(needed(join, join.fields()));
        }
        else if (operator instanceof Operator.FixedPattern pattern)
        {
            read.addAll(pattern.partitionBy());
            expressions.addAll(pattern.conditions());
            expressions.addAll(needed(pattern, pattern.measures()));
        }
        else if (operator instanceof Operator.GroupedAggregate aggregate)
        {
            expressions.addAll(aggregate.keys());
            aggregate.aggregates().forEach(each -> expressions.add(each.argument()));
        }
        expressions.forEach(expression -> collect(expression, read));
        return read;
    }

    private static List<Expression> needed(final Operator operator, final List<Field> fields)
    {
        final Set<Integer> used = new HashSet<>();
        operator.consumers().forEach(consumer -> used.addAll(of(consumer, fields.size())));
        return used.stream().map(index -> fields.get(index).expression()).toList();
    }

    private static void collect(final Expression expression, final Set<Integer> read)
    {
        if (expression instanceof Expression.Column column)
        {
            read.add(column.column());
        }
        else if (expression instanceof Expression.PriorColumn column)
        {
            read.add(column.column());
        }
        else if (expression instanceof Expression.Call call)
        {
            call.arguments().forEach(argument -> collect(argument, read));
        }
    }
}
