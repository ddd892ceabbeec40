package dev.millrace.cql.compiler.unit;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The aggregates of a group whose rows are added and taken off: count, sum and avg. What several aggregates of one
 * argument need is kept once. Words of a group: 0 is the number of its rows, the others follow.
 *
 * <p>Used by one thread, for one class.
 */
final class AggregatesCode
{
    private static final int ROWS = 0;

    private final List<FlowNode.Aggregate> aggregates;
    private final Map<Integer, Argument> arguments = new LinkedHashMap<>();
    private int words = 1;

    /** What is kept of one argument; places of words, -1 where there are none. */
    private static final class Argument
    {
        private final CqlType type;
        private int count = -1;
        private int sum = -1;
        private int wraps = -1;
        private boolean isUncounted;

        private Argument(final CqlType type)
        {
            this.type = type;
        }

        private boolean isFloating()
        {
            return LocalTypes.isFloating(type);
        }
    }

    AggregatesCode(final FlowNode.Group group)
    {
        aggregates = group.aggregates();
        for (final FlowNode.Aggregate aggregate : aggregates)
        {
            if (!aggregate.arguments().isEmpty())
            {
                final int column = aggregate.arguments().get(0);
                need(aggregate, arguments.computeIfAbsent(column, key ->
                    new Argument(group.input().rows().types().get(column))));
            }
        }
    }

    /** Whether it can compute an aggregate. */
    static boolean computes(final FlowNode.Aggregate aggregate, final List<CqlType> types)
    {
        if (aggregate.distinct() || aggregate.arguments().size() > 1)
        {
            return false;
        }
        if (aggregate.function().equals("count"))
        {
            return true;
        }
        return (aggregate.function().equals("sum") || aggregate.function().equals("avg")) &&
            switch (types.get(aggregate.arguments().get(0)))
            {
                case INT, BIGINT, INTERVAL, FLOAT, DOUBLE -> true;
                default -> false;
            };
    }

    private void need(final FlowNode.Aggregate aggregate, final Argument argument)
    {
        if (argument.count < 0)
        {
            argument.count = words++;
        }
        if (aggregate.function().equals("count"))
        {
            return;
        }
        if (argument.sum < 0)
        {
            argument.sum = words;
            words += argument.isFloating() ? dev.millrace.cql.runtime.unit.Sums.FLOATING_WORDS : 1;
        }
        if (aggregate.function().equals("avg") && LocalTypes.isFloating(aggregate.type()) && argument.wraps < 0 &&
            argument.type == CqlType.BIGINT)
        {
            argument.wraps = words++;
        }
    }

    /** Words of a group. */
    int words()
    {
        return words;
    }

    /** Columns that are read. */
    List<Integer> reads()
    {
        return List.copyOf(arguments.keySet());
    }

    /** What must be remembered of a row so that it can be taken off. */
    List<Operand> remembered(final Row row)
    {
        final List<Operand> remembered = new ArrayList<>();
        arguments.forEach((column, argument) ->
        {
            final Operand value = row.get(column);
            argument.isUncounted = !value.canBeNull();
            if (argument.sum >= 0)
            {
                remembered.add(value);
            }
            else if (value.canBeNull())
            {
                remembered.add(Operand.notNull('(' + value.isNull() + ')', CqlType.BOOLEAN));
            }
        });
        return remembered;
    }

    /**
     * Writes statements that add a row or take it off.
     *
     * @param values what is remembered of the row
     * @param words  name of the array
     * @param at     name of the place of the first word
     * @param sign   1 or -1
     */
    void change(final ExpressionCode code, final List<Operand> values, final String words, final String at,
        final int sign)
    {
        final String step = sign > 0 ? "++;" : "--;";
        code.line(words + '[' + at + ']' + step);
        int next = 0;
        for (final Argument argument : arguments.values())
        {
            if (argument.sum < 0)
            {
                final String count = words + '[' + at + " + " + argument.count + ']' + step;
                code.line(argument.isUncounted ? count : "if (!" + values.get(next++).value() + ") " + count);
                continue;
            }
            final Operand value = values.get(next++);
            if (value.canBeNull())
            {
                code.open("if (!" + value.isNull() + ')');
            }
            code.line(words + '[' + at + " + " + argument.count + ']' + step);
            sum(code, argument, value.value(), words, at, sign);
            if (value.canBeNull())
            {
                code.close();
            }
        }
    }

    private static void sum(final ExpressionCode code, final Argument argument, final String value,
        final String words, final String at, final int sign)
    {
        final String sum = at + " + " + argument.sum;
        if (argument.isFloating())
        {
            final String clears = sign > 0 ? "" :
                "if (" + words + '[' + at + " + " + argument.count + "] == 0L) Sums.clear(" + words + ", " + sum +
                "); else ";
            code.line(clears + "Sums.add(" + words + ", " + sum + ", (double) " + value + ", " + sign + ");");
            return;
        }
        if (argument.wraps >= 0)
        {
            code.line(words + '[' + at + " + " + argument.wraps + "] += Sums.wraps(" + words + '[' + sum + "], " +
                value + ", " + sign + ");");
        }
        code.line(words + '[' + sum + ']' + (sign > 0 ? " += " : " -= ") + value + ';');
    }

    /**
     * The value of an aggregate.
     *
     * @param index which
     * @param words Java expression of the array
     * @param at    Java expression of the place of the first word
     */
    Operand value(final int index, final String words, final String at)
    {
        final FlowNode.Aggregate aggregate = aggregates.get(index);
        final CqlType type = aggregate.type();
        final Argument argument = aggregate.arguments().isEmpty() ? null :
            arguments.get(aggregate.arguments().get(0));
        final String count = words + '[' + at + " + " + (argument == null ? ROWS : argument.count) + ']';
        if (aggregate.function().equals("count"))
        {
            return Operand.notNull(type == CqlType.INT ? "Sums.count(" + count + ')' : count, type);
        }
        final String sum = words + '[' + at + " + " + argument.sum + ']';
        final boolean isAverage = aggregate.function().equals("avg");
        final String value;
        if (!LocalTypes.isFloating(type))
        {
            value = type == CqlType.INT ? "(int) " + sum : isAverage ? sum + " / " + count : sum;
        }
        else
        {
            final String total = argument.isFloating() ? "Sums.value(" + words + ", " + at + " + " + argument.sum +
                ')' : argument.wraps < 0 ? "(double) " + sum :
                "Sums.whole(" + sum + ", " + words + '[' + at + " + " + argument.wraps + "])";
            final String result = isAverage ? total + " / " + count : total;
            value = type == CqlType.FLOAT ? "(float) (" + result + ')' : result;
        }
        return new Operand(value, '(' + count + " == 0L)", type);
    }
}
