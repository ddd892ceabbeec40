package dev.millrace.cql.compiler.unit.group;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.RingColumns;
import dev.millrace.cql.compiler.unit.code.Row;
import dev.millrace.cql.compiler.unit.code.UnitText;
import dev.millrace.cql.compiler.unit.code.Words;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The aggregates of a group: count, sum, avg, min, max and count(distinct). What several aggregates of one argument
 * need is kept once. Words of a group: 0 is the number of its rows, those of the arguments follow.
 *
 * <p>Used by one thread, for one class.
 */
public final class AggregatesCode
{
    private static final int ROWS = 0;

    private final List<FlowNode.Aggregate> aggregates;
    private final Map<Integer, ArgumentCode> arguments = new LinkedHashMap<>();
    private int words = 1;

    public AggregatesCode(final UnitText unit, final String group, final FlowNode.Group node, final GroupInput input)
    {
        aggregates = node.aggregates();
        for (final FlowNode.Aggregate aggregate : aggregates)
        {
            if (!aggregate.arguments().isEmpty())
            {
                final int column = aggregate.arguments().get(0);
                final ArgumentCode argument = arguments.computeIfAbsent(column, key -> new ArgumentCode(
                    unit, group, node.input().rows().types().get(column), input));
                words = argument.need(aggregate, words);
            }
        }
        arguments.values().forEach(ArgumentCode::declare);
    }

    /** Whether it can compute an aggregate. */
    public static boolean computes(final FlowNode.Aggregate aggregate, final List<CqlType> types)
    {
        if (aggregate.arguments().size() > 1)
        {
            return false;
        }
        if (aggregate.arguments().isEmpty())
        {
            return aggregate.function().equals("count");
        }
        final CqlType type = types.get(aggregate.arguments().get(0));
        return switch (aggregate.function())
        {
            case "count" -> !aggregate.distinct() || Words.has(type);
            case "sum", "avg" -> !aggregate.distinct() && ArgumentCode.isSummed(type);
            case "min", "max" -> ArgumentCode.isOrdered(type);
            default -> false;
        };
    }

    /** Words of a group. */
    public int words()
    {
        return words;
    }

    /** Columns that are read. */
    public List<Integer> reads()
    {
        return List.copyOf(arguments.keySet());
    }

    /** Learns that rows leave in the order in which they came. */
    public void over(final RingColumns ring)
    {
        arguments.values().forEach(argument -> argument.over(ring));
    }

    /**
     * What must be remembered of a row so that it can be taken off; looks values of DISTINCT up, and opens a block of
     * the row in which there is room for them.
     *
     * @param id   of the group
     * @param lost statement for a row that is turned away
     */
    public List<Operand> remembered(final Row row, final String id, final String lost)
    {
        final List<Operand> remembered = new ArrayList<>();
        arguments.forEach((column, argument) -> argument.remember(row, row.get(column), id, lost, remembered));
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
    public void change(final ExpressionCode code, final List<Operand> values, final String words, final String at,
        final int sign)
    {
        code.line(words + '[' + at + ']' + (sign > 0 ? "++;" : "--;"));
        final Iterator<Operand> next = values.iterator();
        arguments.values().forEach(argument -> argument.change(code, next, words, at, sign));
    }

    /**
     * The value of an aggregate.
     *
     * @param index which
     * @param words Java expression of the array
     * @param at    Java expression of the place of the first word
     */
    public Operand value(final int index, final String words, final String at)
    {
        final FlowNode.Aggregate aggregate = aggregates.get(index);
        if (aggregate.arguments().isEmpty())
        {
            return ArgumentCode.count(words + '[' + at + " + " + ROWS + ']', aggregate.type());
        }
        return arguments.get(aggregate.arguments().get(0)).value(aggregate, words, at);
    }

    /** Writes what happens when a batch is over. */
    public void sweep(final ExpressionCode code)
    {
        arguments.values().forEach(argument -> argument.sweep(code));
    }

    /** Writes what is told about state. */
    public void state(final ExpressionCode code)
    {
        arguments.values().forEach(argument -> argument.state(code));
    }
}
