package dev.millrace.cql.compiler;

import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.Operator;
import java.util.ArrayList;
import java.util.List;

/**
 * State of the groups of a window, by slot, in two arrays so that a group lies together: numbers of rows and of values
 * that are not null and sums of whole numbers in one; sums of floating numbers, each with its compensation (two-sum),
 * in the other. Both are cut into chunks, so that growing copies nothing ({@code SlotChunks}). Rows that enter add to
 * it, rows that leave take away; a sum without values is exactly nothing.
 *
 * <p>A state is held in locals with a suffix, for example {@code r} rows, {@code q0} values of argument 0, {@code w0}
 * and {@code s1 rest1} sums; each step makes those of the next suffix.
 */
final class WindowState
{
    /** A sum that is kept. */
    private record Sum(int argument, boolean floating)
    {
    }

    /**
     * An argument of a row.
     *
     * @param code   code of its value
     * @param isNull code of "it is null"; {@code null} when it never is, or is zero then
     * @param count  code of how many values it is
     */
    record Value(String code, String isNull, String count)
    {
        static Value of(final String code, final String isNull)
        {
            return new Value(code, isNull, isNull == null ? "1L" : '(' + isNull + " ? 0L : 1L)");
        }

        String orZero(final String zero)
        {
            return isNull == null ? code : '(' + isNull + " ? " + zero + " : " + code + ')';
        }
    }

    private final PlanNode node;
    private final Operator.WindowAggregate aggregate;
    private final List<Expression> arguments = new ArrayList<>();
    private final List<Sum> sums = new ArrayList<>();
    private final String wholes;
    private final String floats;
    /** Whether the number of rows is kept: words before those of the arguments. */
    private final int rowWords;
    private final int wholeWords;
    private final int floatWords;

    WindowState(final ClassContext context, final PlanNode node, final Operator.WindowAggregate aggregate)
    {
        this.node = node;
        this.aggregate = aggregate;
        for (final Operator.Aggregate each : aggregate.aggregates())
        {
            if (each.argument() != null)
            {
                add(each);
            }
        }
        rowWords = aggregate.keys().isEmpty() && !aggregate.aggregates().isEmpty() &&
            aggregate.aggregates().stream().allMatch(each -> each.argument() != null) ? 0 : 1;
        wholeWords = rowWords + arguments.size() + (int)sums.stream().filter(sum -> !sum.floating).count();
        floatWords = 2 * (int)sums.stream().filter(Sum::floating).count();
        wholes = "wholes" + node.number;
        floats = "floats" + node.number;
        context.field("long[][] " + wholes + " = new long[0][]");
        if (floatWords > 0)
        {
            context.field("double[][] " + floats + " = new double[0][]");
        }
        for (int i = 0; i < sums.size(); i++)
        {
            if (sums.get(i).floating && isFloating(sums.get(i)))
            {
                context.field("final NotFinite " + notFinite(i) + " = new NotFinite()");
            }
        }
    }

    private void add(final Operator.Aggregate each)
    {
        if (!arguments.contains(each.argument()))
        {
            arguments.add(each.argument());
        }
        if (each.function() == Operator.AggregateFunction.MIN || each.function() == Operator.AggregateFunction.MAX)
        {
            throw ClassContext.unsupported(node, each.function() + " of a window", "let the planner make a flow");
        }
        if (each.function() != Operator.AggregateFunction.COUNT && !sums.contains(sum(each)))
        {
            sums.add(sum(each));
        }
    }

    private Sum sum(final Operator.Aggregate each)
    {
        return new Sum(arguments.indexOf(each.argument()), KeptRow.isFloating(each.argument()) ||
            each.function() == Operator.AggregateFunction.AVG);
    }

    private boolean isFloating(final Sum sum)
    {
        return KeptRow.isFloating(arguments.get(sum.argument));
    }

    private String notFinite(final int sum)
    {
        return "odd" + node.number + '_' + sum;
    }

    /** Values that rows must bring. */
    List<Expression> arguments()
    {
        return arguments;
    }

    List<String> growLines()
    {
        final List<String> lines = new ArrayList<>();
        lines.add("final int room = SlotChunks.room(length);");
        lines.add(wholes + " = SlotChunks.longs(" + wholes + ", room, " + wholeWords + ");");
        if (floatWords > 0)
        {
            lines.add(floats + " = SlotChunks.doubles(" + floats + ", room, " + floatWords + ");");
        }
        return lines;
    }

    /** Locals of a slot's state. */
    void writeLoad(final JavaText body, final String slot)
    {
        body.line("final long[] " + wholes + " = this." + wholes + '[' + slot + " >>> SlotChunks.BITS];");
        body.line("final int at = (" + slot + " & SlotChunks.MASK) * " + wholeWords + ';');
        if (rowWords > 0)
        {
            body.line("final long r = " + wholes + "[at];");
        }
        for (int i = 0; i < arguments.size(); i++)
        {
            body.line("final long q" + i + " = " + wholes + "[at + " + (rowWords + i) + "];");
        }
        if (floatWords > 0)
        {
            body.line("final double[] " + floats + " = this." + floats + '[' + slot + " >>> SlotChunks.BITS];");
            body.line("final int from = (" + slot + " & SlotChunks.MASK) * " + floatWords + ';');
        }
        for (int i = 0; i < sums.size(); i++)
        {
            if (sums.get(i).floating)
            {
                body.line("final double s" + i + " = " + floats + '[' + floatAt(i) + "];");
                body.line("final double rest" + i + " = " + floats + '[' + floatAt(i) + " + 1];");
                writeNotFinite(body, i, slot);
            }
            else
            {
                body.line("final long w" + i + " = " + wholes + '[' + wholeAt(i) + "];");
            }
        }
    }

    /** What is not finite is asked before the step, which may change it; mostly there has never been such a value. */
    private void writeNotFinite(final JavaText body, final int sum, final String slot)
    {
        if (isFloating(sums.get(sum)))
        {
            body.line("final boolean odd" + sum + " = " + notFinite(sum) + ".any();");
            body.line("final double had" + sum + " = odd" + sum + " ? " + notFinite(sum) + ".sum(" + slot + ", " +
                finite(sum, "") + ") : 0.0;");
        }
    }

    private String wholeAt(final int sum)
    {
        final long before = sums.subList(0, sum).stream().filter(each -> !each.floating).count();
        return "at + " + (rowWords + arguments.size() + before);
    }

    private String floatAt(final int sum)
    {
        return "from + " + 2 * sums.subList(0, sum).stream().filter(Sum::floating).count();
    }

    /**
     * A row enters or leaves.
     *
     * @param from   suffix of the state before
     * @param to     suffix of the state after
     * @param enters whether it enters
     * @param rows   code of how many rows it is
     * @param values of the arguments
     */
    void writeStep(final JavaText body, final String slot, final String from, final String to, final boolean enters,
        final String rows, final List<Value> values)
    {
        final String sign = enters ? " + " : " - ";
        if (rowWords > 0)
        {
            body.line("final long r" + to + " = r" + from + sign + rows + ';');
        }
        for (int i = 0; i < arguments.size(); i++)
        {
            body.line("final long q" + i + to + " = q" + i + from + sign + values.get(i).count + ';');
        }
        for (int i = 0; i < sums.size(); i++)
        {
            final Value value = values.get(sums.get(i).argument);
            if (sums.get(i).floating)
            {
                writeFloating(body, slot, i, new String[] {from, to}, enters, value);
            }
            else
            {
                body.line("final long w" + i + to + " = w" + i + from + sign + value.orZero("0L") + ';');
            }
        }
    }

    private void writeFloating(final JavaText body, final String slot, final int index, final String[] suffixes,
        final boolean enters, final Value value)
    {
        final String to = index + suffixes[1];
        final String old = "s" + index + suffixes[0];
        final String code = value.orZero("0.0");
        body.line("double d" + to + " = " + (enters ? "" : "-") + code + ';');
        if (isFloating(sums.get(index)))
        {
            body.open("if (!(Math.abs(d" + to + ") <= Double.MAX_VALUE))");
            body.line(notFinite(index) + ".change(" + slot + ", " + code + ", " + (enters ? "1" : "-1") + ");");
            body.line("d" + to + " = 0.0;");
            body.close();
        }
        final String sum = enters ? "s" + to : "t" + to;
        body.line("final double " + sum + " = " + old + " + d" + to + ';');
        body.line("final double u" + to + " = " + sum + " - " + old + ';');
        final String error = "rest" + index + suffixes[0] + " + ((" + old + " - (" + sum + " - u" + to + ")) + (d" +
            to + " - u" + to + "))";
        if (enters)
        {
            body.line("final double rest" + to + " = " + error + ';');
            return;
        }
        final String isEmpty = "q" + sums.get(index).argument + suffixes[1] + " == 0L";
        body.line("final double s" + to + " = " + isEmpty + " ? 0.0 : " + sum + ';');
        body.line("final double rest" + to + " = " + isEmpty + " ? 0.0 : " + error + ';');
    }

    /** The state of a suffix is kept. */
    void writeStore(final JavaText body, final String suffix)
    {
        if (rowWords > 0)
        {
            body.line(wholes + "[at] = r" + suffix + ';');
        }
        for (int i = 0; i < arguments.size(); i++)
        {
            body.line(wholes + "[at + " + (rowWords + i) + "] = q" + i + suffix + ';');
        }
        for (int i = 0; i < sums.size(); i++)
        {
            if (sums.get(i).floating)
            {
                body.line(floats + '[' + floatAt(i) + "] = s" + i + suffix + ';');
                body.line(floats + '[' + floatAt(i) + " + 1] = rest" + i + suffix + ';');
            }
            else
            {
                body.line(wholes + '[' + wholeAt(i) + "] = w" + i + suffix + ';');
            }
        }
    }

    /** Values of a state. */
    Leaves leaves(final String slot, final KeySlots.Key key, final String suffix)
    {
        return new Leaves()
        {
            @Override
            public String value(final Expression leaf)
            {
                return leaf instanceof Expression.KeyValue ? key.value() :
                    result(aggregate.aggregates().get(((Expression.AggregateValue)leaf).aggregate()), slot, suffix);
            }

            @Override
            public String nullFlag(final Expression leaf)
            {
                if (leaf instanceof Expression.KeyValue)
                {
                    return key.isNull();
                }
                final Operator.Aggregate each =
                    aggregate.aggregates().get(((Expression.AggregateValue)leaf).aggregate());
                return each.function() == Operator.AggregateFunction.COUNT ? null :
                    "q" + arguments.indexOf(each.argument()) + suffix + " == 0L";
            }
        };
    }

    private String result(final Operator.Aggregate each, final String slot, final String suffix)
    {
        if (each.function() == Operator.AggregateFunction.COUNT)
        {
            return (each.argument() == null ? "r" : "q" + arguments.indexOf(each.argument())) + suffix;
        }
        final int index = sums.indexOf(sum(each));
        final String type = JavaTypes.local(each.type());
        if (!sums.get(index).floating)
        {
            return type.equals("long") ? "w" + index + suffix : "(" + type + ") w" + index + suffix;
        }
        final String sum = sum(index, slot, suffix);
        final String value = each.function() == Operator.AggregateFunction.AVG ?
            sum + " / q" + sums.get(index).argument + suffix : sum;
        return type.equals("double") ? value : "(" + type + ") (" + value + ')';
    }

    private String sum(final int index, final String slot, final String suffix)
    {
        final String finite = finite(index, suffix);
        return !isFloating(sums.get(index)) ? finite : suffix.isEmpty() ?
            "(odd" + index + " ? had" + index + " : " + finite + ')' :
            '(' + notFinite(index) + ".any() ? " + notFinite(index) + ".sum(" + slot + ", " + finite + ") : " + finite +
            ')';
    }

    private static String finite(final int sum, final String suffix)
    {
        return "sum(s" + sum + suffix + ", rest" + sum + suffix + ')';
    }
}
