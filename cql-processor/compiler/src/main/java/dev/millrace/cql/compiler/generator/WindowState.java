package dev.millrace.cql.compiler.generator;

import dev.millrace.cql.compiler.emit.ClassContext;
import dev.millrace.cql.compiler.emit.JavaText;
import dev.millrace.cql.compiler.emit.JavaTypes;
import dev.millrace.cql.compiler.emit.KeySlots;
import dev.millrace.cql.compiler.emit.LeafResolver;
import dev.millrace.cql.compiler.emit.PlanNode;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Expression;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * State of the groups of a window, by slot, in one array of words, so that the words of a group are adjacent: number of
 * rows, numbers of values that are not null, then sums; a sum of floating-point numbers consists of the bits of the sum
 * and of its compensation (two-sum). The array is split into chunks, so that growth copies nothing
 * ({@code SlotChunks}). Rows that enter are added, rows that leave are subtracted; a sum without values is exactly
 * zero.
 *
 * <p>A state is stored in locals with a suffix, for example {@code r} rows, {@code q0} values of argument 0, {@code w0}
 * and {@code s1 rest1} sums; each step writes those of the next suffix.
 */
final class WindowState
{
    /** A sum in the state. */
    private record Sum(int argument, boolean floating)
    {
    }

    private final PlanNode node;
    private final Operator.WindowAggregate aggregate;
    private final List<Expression> arguments;
    private final List<Sum> sums;
    /** Whether all values are finite numbers and have always been. */
    private final boolean finite;
    private final String groups;
    /** Number of words before those of the arguments: 1 when the number of rows is stored, otherwise 0. */
    private final int rowWords;
    private final int words;

    WindowState(final ClassContext context, final PlanNode node, final Operator.WindowAggregate aggregate)
    {
        this.node = node;
        this.aggregate = aggregate;
        arguments = new ArrayList<>();
        sums = new ArrayList<>();
        finite = false;
        for (final Operator.Aggregate each : aggregate.aggregates())
        {
            if (each.argument() != null)
            {
                add(each);
            }
        }
        rowWords = aggregate.keys().isEmpty() && !aggregate.aggregates().isEmpty() &&
            aggregate.aggregates().stream().allMatch(each -> each.argument() != null) ? 0 : 1;
        words = firstWord(sums.size());
        groups = "groups" + node.number;
        context.field("long[][] " + groups + " = new long[0][]");
        for (int i = 0; i < sums.size(); i++)
        {
            if (sums.get(i).floating && isFloating(sums.get(i)))
            {
                context.field("final NotFinite " + notFinite(i) + " = new NotFinite()");
            }
        }
    }

    private WindowState(final WindowState other)
    {
        node = other.node;
        aggregate = other.aggregate;
        arguments = other.arguments;
        sums = other.sums;
        finite = true;
        groups = other.groups;
        rowWords = other.rowWords;
        words = other.words;
    }

    /** The same state for code that runs only as long as every value has been finite. */
    WindowState finite()
    {
        return new WindowState(this);
    }

    /** Code for "there has been a value that is not finite"; {@code null} when that is impossible. */
    String notFinite()
    {
        String any = null;
        for (int i = 0; i < sums.size(); i++)
        {
            any = isFloating(sums.get(i)) ? GroupChange.either(any, notFinite(i) + ".any()") : any;
        }
        return any;
    }

    /** Code for "one of these values is not finite"; {@code null} when that is impossible. */
    String notFinite(final List<ArgumentValue> values)
    {
        String any = null;
        for (final Sum sum : sums)
        {
            any = isFloating(sum) ? GroupChange.either(any, "!(Math.abs(" + values.get(sum.argument).orZero("0.0") +
                ") <= Double.MAX_VALUE)") : any;
        }
        return any;
    }

    private void add(final Operator.Aggregate each)
    {
        if (!arguments.contains(each.argument()))
        {
            arguments.add(each.argument());
        }
        if (each.function() == Operator.AggregateFunction.MIN || each.function() == Operator.AggregateFunction.MAX)
        {
            throw ClassContext.unsupported(node, each.function() + " of a window", "let the planner plan a flow");
        }
        if (each.function() != Operator.AggregateFunction.COUNT && !sums.contains(sum(each)))
        {
            sums.add(sum(each));
        }
    }

    private Sum sum(final Operator.Aggregate each)
    {
        return new Sum(arguments.indexOf(each.argument()), WindowRowLayout.isFloating(each.argument()) ||
            each.function() == Operator.AggregateFunction.AVG);
    }

    private boolean isFloating(final Sum sum)
    {
        return WindowRowLayout.isFloating(arguments.get(sum.argument));
    }

    private String notFinite(final int sum)
    {
        return "odd" + node.number + '_' + sum;
    }

    /** The argument values that rows must have. */
    List<Expression> arguments()
    {
        return arguments;
    }

    List<String> growLines()
    {
        final List<String> lines = new ArrayList<>();
        lines.add("final int room = SlotChunks.room(length);");
        lines.add(groups + " = SlotChunks.longs(" + groups + ", room, " + words + ", memory);");
        return lines;
    }

    /** Writes locals with the state of a slot. */
    void writeLoad(final JavaText body, final String slot)
    {
        body.line("final long[] " + groups + " = this." + groups + '[' + slot + " >>> SlotChunks.BITS];");
        body.line("final int at = (" + slot + " & SlotChunks.MASK) * " + words + ';');
        if (rowWords > 0)
        {
            body.line("final long r = " + word(0) + ';');
        }
        for (int i = 0; i < arguments.size(); i++)
        {
            body.line("final long q" + i + " = " + word(rowWords + i) + ';');
        }
        for (int i = 0; i < sums.size(); i++)
        {
            final int first = firstWord(i);
            if (sums.get(i).floating)
            {
                body.line("final double s" + i + " = Double.longBitsToDouble(" + word(first) + ");");
                body.line("final double rest" + i + " = Double.longBitsToDouble(" + word(first + 1) + ");");
                writeNotFinite(body, i, slot);
            }
            else
            {
                body.line("final long w" + i + " = " + word(first) + ';');
            }
        }
    }

    private String word(final int index)
    {
        return groups + "[at + " + index + ']';
    }

    /** Index of the first word of a sum, or of the word after the last sum. */
    private int firstWord(final int sum)
    {
        int first = rowWords + arguments.size();
        for (final Sum each : sums.subList(0, sum))
        {
            first += each.floating ? 2 : 1;
        }
        return first;
    }

    /** Tests for non-finite values before the step, which may change the result; usually there has never been one. */
    private void writeNotFinite(final JavaText body, final int sum, final String slot)
    {
        if (!finite && isFloating(sums.get(sum)))
        {
            body.line("final boolean odd" + sum + " = " + notFinite(sum) + ".any();");
            body.line("final double had" + sum + " = odd" + sum + " ? " + notFinite(sum) + ".sum(" + slot + ", " +
                finite(sum, "") + ") : 0.0;");
        }
    }

    /**
     * Adds or removes a row.
     *
     * @param from   suffix of the state before
     * @param to     suffix of the state after
     * @param enters whether it enters
     * @param rows   code of the number of rows
     * @param values of the arguments
     */
    void writeStep(final JavaText body, final String slot, final String from, final String to, final boolean enters,
        final String rows, final List<ArgumentValue> values)
    {
        final String sign = enters ? " + " : " - ";
        if (rowWords > 0)
        {
            body.line("final long r" + to + " = r" + from + sign + rows + ';');
        }
        for (int i = 0; i < arguments.size(); i++)
        {
            body.line("final long q" + i + to + " = q" + i + from + sign + values.get(i).count() + ';');
        }
        for (int i = 0; i < sums.size(); i++)
        {
            final ArgumentValue value = values.get(sums.get(i).argument);
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
        final boolean enters, final ArgumentValue value)
    {
        final String to = index + suffixes[1];
        final String old = "s" + index + suffixes[0];
        final String code = value.orZero("0.0");
        body.line("double d" + to + " = " + (enters ? "" : "-") + code + ';');
        if (!finite && isFloating(sums.get(index)))
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

    /** Stores the state of a suffix. */
    void writeStore(final JavaText body, final String suffix)
    {
        if (rowWords > 0)
        {
            body.line(word(0) + " = r" + suffix + ';');
        }
        for (int i = 0; i < arguments.size(); i++)
        {
            body.line(word(rowWords + i) + " = q" + i + suffix + ';');
        }
        for (int i = 0; i < sums.size(); i++)
        {
            final int first = firstWord(i);
            if (sums.get(i).floating)
            {
                body.line(word(first) + " = Double.doubleToRawLongBits(s" + i + suffix + ");");
                body.line(word(first + 1) + " = Double.doubleToRawLongBits(rest" + i + suffix + ");");
            }
            else
            {
                body.line(word(first) + " = w" + i + suffix + ';');
            }
        }
    }

    private List<String> oddSums()
    {
        return IntStream.range(0, sums.size()).filter(i -> sums.get(i).floating && isFloating(sums.get(i)))
            .mapToObj(this::notFinite).toList();
    }

    /** Writes the state of the slot {@code slot}. */
    void writeSave(final JavaText body)
    {
        body.line("to.writeLongs(" + wordsOfSlot() + ");");
        oddSums().forEach(odd -> body.line(odd + ".write(slot, to);"));
    }

    /** Reads the state of the slot {@code slot}, for which capacity exists. */
    void writeLoad(final JavaText body)
    {
        body.line("from.readLongs(" + wordsOfSlot() + ");");
        oddSums().forEach(odd -> body.line(odd + ".read(slot, from);"));
    }

    /** Clears the state of the slot {@code slot}. */
    void writeClear(final JavaText body)
    {
        body.line("clear(" + wordsOfSlot() + ");");
        oddSums().forEach(odd -> body.line(odd + ".forget(slot);"));
    }

    /** Array, index of the first word and number of words of {@code slot}. */
    private String wordsOfSlot()
    {
        return groups + "[slot >>> SlotChunks.BITS], (slot & SlotChunks.MASK) * " + words + ", " + words;
    }

    /** Code for "the state of {@code slot} is that of a group without rows". */
    String isClear()
    {
        return "isClear(" + wordsOfSlot() + ')';
    }

    /** Code for "the group of a slot has rows". */
    String hasRows(final String slot)
    {
        return slot + " < capacity" + node.number + " && " + groups + '[' + slot + " >>> SlotChunks.BITS][(" + slot +
            " & SlotChunks.MASK) * " + words + "] != 0L";
    }

    /** Statement that asserts that the current state is that of a group without rows. */
    String checkClear()
    {
        return "checkClear(" + groups + ", at, " + words + ");";
    }

    /** Values of a state. */
    LeafResolver leaves(final String slot, final KeySlots.Key key, final String suffix)
    {
        return new LeafResolver()
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
        final String value = finite(index, suffix);
        return finite || !isFloating(sums.get(index)) ? value : suffix.isEmpty() ?
            "(odd" + index + " ? had" + index + " : " + value + ')' :
            '(' + notFinite(index) + ".any() ? " + notFinite(index) + ".sum(" + slot + ", " + value + ") : " + value +
            ')';
    }

    private static String finite(final int sum, final String suffix)
    {
        return "sum(s" + sum + suffix + ", rest" + sum + suffix + ')';
    }
}
