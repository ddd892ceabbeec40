package dev.millrace.cql.compiler.unit.group;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.RingColumns;
import dev.millrace.cql.compiler.unit.code.RowWords;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.runtime.unit.aggregate.ExtremeHeap;
import dev.millrace.cql.runtime.unit.aggregate.ExtremeQueue;
import dev.millrace.cql.runtime.unit.aggregate.FloatingSums;
import dev.millrace.cql.runtime.unit.aggregate.TimedExtremes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * State of a group for one argument of its aggregates, over the rows that pass a filter: the number of values that are
 * not null, their sum, the minimum and the maximum. Null values and those of rows that do not pass are ignored.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class AggregateArgumentGenerator
{
    private static final int NONE = -1;
    /** Words of a distinct value: group, value, and number of occurrences; words of heaps follow. */
    private static final int VALUE_WORDS = 3;
    private static final int VALUE_COUNT = 2;

    private final UnitSource unit;
    private final String group;
    private final CqlType type;
    private final GroupInput input;
    /** Indexes of words. */
    private int count = NONE;
    private int sum = NONE;
    private int wraps = NONE;
    private int least = NONE;
    private int greatest = NONE;
    /** Names of fields. */
    private String values;
    private String leastQueue;
    private String greatestQueue;
    private String leastHeap;
    private String greatestHeap;
    private String leastTimed;
    private String greatestTimed;
    private String position;
    private boolean canBeNull;

    public AggregateArgumentGenerator(final UnitSource unit, final String group, final CqlType type,
        final GroupInput input)
    {
        this.unit = unit;
        this.group = group;
        this.type = type;
        this.input = input;
    }

    /** Reserves words for an aggregate, from the given index; returns the next free one. */
    public int need(final FlowNode.Aggregate aggregate, final int from)
    {
        int next = from;
        final String function = aggregate.function();
        if (count == NONE)
        {
            count = next++;
        }
        switch (function)
        {
            case "sum", "avg" -> next = needSum(aggregate, next);
            case "min" ->
            {
                if (least == NONE)
                {
                    least = next;
                    next += extremeWords();
                }
            }
            case "max" ->
            {
                if (greatest == NONE)
                {
                    greatest = next;
                    next += extremeWords();
                }
            }
            default ->
            {
                // A count needs nothing else.
            }
        }
        return next;
    }

    /** Whether distinct values are stored, with the number of occurrences of each. */
    private boolean hasHeaps()
    {
        return input == GroupInput.ANY && (least != NONE || greatest != NONE);
    }

    private int extremeWords()
    {
        return input == GroupInput.TIMED ? TimedExtremes.WORDS : ExtremeQueue.WORDS;
    }

    /** Whether it needs the leave time of rows. */
    boolean isTimed()
    {
        return input == GroupInput.TIMED && (least != NONE || greatest != NONE);
    }

    private List<String> timed()
    {
        return Stream.of(leastTimed, greatestTimed).filter(Objects::nonNull).toList();
    }

    /** Declares its fields, after all aggregates have stated their needs. */
    public void declare()
    {
        if (hasHeaps())
        {
            values = unit.name(group + "values");
            unit.field("final LongPairKeys", values, "new LongPairKeys(" + valueWords() + ", maxRows, memory)");
            leastHeap = least == NONE ? null : heap(VALUE_WORDS, true);
            greatestHeap = greatest == NONE ? null : heap(valueWords() - ExtremeHeap.LINKS, false);
        }
        if (isTimed())
        {
            leastTimed = least == NONE ? null : timedHeap();
            greatestTimed = greatest == NONE ? null : timedHeap();
        }
    }

    private int valueWords()
    {
        return VALUE_WORDS + (least != NONE && greatest != NONE ? 2 : 1) * ExtremeHeap.LINKS;
    }

    private String heap(final int links, final boolean isLeast)
    {
        final String name = unit.name(group + "heap");
        unit.scratch("final ExtremeHeap", name, "new ExtremeHeap(" + values + ", " + valueWords() + ", " + links +
            ", " + LocalTypes.isFloating(type) + ", " + isLeast + ')');
        return name;
    }

    private String timedHeap()
    {
        final String name = unit.name(group + "heap");
        unit.field("final TimedExtremes", name, "new TimedExtremes(memory)");
        return name;
    }

    private int needSum(final FlowNode.Aggregate aggregate, final int from)
    {
        int next = from;
        if (sum == NONE)
        {
            sum = next;
            next += LocalTypes.isFloating(type) ? FloatingSums.FLOATING_WORDS : 1;
        }
        if (wraps == NONE && type == CqlType.BIGINT && aggregate.function().equals("avg") &&
            LocalTypes.isFloating(aggregate.type()))
        {
            wraps = next++;
        }
        return next;
    }

    public void over(final RingColumns ring)
    {
        position = ring.position();
        leastQueue = least == NONE ? null : ring.addObject("ExtremeQueue");
        greatestQueue = greatest == NONE ? null : ring.addObject("ExtremeQueue");
    }

    /** Called when its values come from panes, in a ring with their extremes. */
    public void overPanes(final String ring)
    {
        position = "id";
        leastQueue = least == NONE ? null : queue(ring);
        greatestQueue = greatest == NONE ? null : queue(ring);
    }

    private String queue(final String ring)
    {
        final String name = unit.name(group + "queue");
        unit.scratch("final ExtremeQueue", name, ring + ".queue()");
        return name;
    }

    private boolean needsValue()
    {
        return sum != NONE || (least != NONE || greatest != NONE) && input == GroupInput.GROWING;
    }

    /**
     * Adds the values that must be stored for a row; when the row enters, its argument is available as well.
     *
     * @return statements that undo the changes
     */
    public String remember(final SymbolicRow row, final Operand value, final String id, final String lost,
        final List<Operand> remembered)
    {
        final ExpressionCode code = row.code();
        canBeNull = value.canBeNull();
        String undo = "";
        if (hasHeaps())
        {
            final String entry = code.name("d");
            final String word = new RowWords(unit, List.of(type), List.of(false)).of(code, List.of(value)).get(0);
            final String find = values + ".findOrAdd((long) " + id + ", " + word + ')';
            code.line("final int " + entry + " = " + (canBeNull ? value.isNull() + " ? -2 : " : "") + find + ';');
            row.open("if (" + entry + " == -1) { " + lost + " full(\"values\"); } else");
            remembered.add(Operand.notNull(entry, CqlType.INT));
            undo = "if (" + entry + " >= 0 && " + values + ".records[" + entry + " * " + valueWords() + " + " +
                VALUE_COUNT + "] == 0L) " + values + ".dies(" + entry + "); ";
        }
        if (isTimed() && row.leavesAt() != null)
        {
            leavesAt = row.leavesAt();
            row.open("if (" + timed().stream().map(each -> '!' + each + ".reserve()").collect(
                Collectors.joining(" || ")) + ") { " + undo + lost + " full(\"values\"); } else");
        }
        if (needsValue())
        {
            remembered.add(value);
        }
        else if (canBeNull)
        {
            remembered.add(Operand.notNull('(' + value.isNull() + ')', CqlType.BOOLEAN));
        }
        entering = value;
        return undo;
    }

    /** The value of the row that enters, while its statements are written. */
    private Operand entering;
    /** Its leave time, when it is needed. */
    private String leavesAt;

    /** Whether the contributions of several rows can be removed at once, by their sums. */
    boolean isAdditive()
    {
        return !hasHeaps() && wraps == NONE && (sum == NONE || !LocalTypes.isFloating(type));
    }

    /** Java condition for whether a value that enters changes its extremes; the row must have been added. */
    String changes(final String words, final String at)
    {
        final String counted = words + '[' + at + " + " + count + "] == 0L";
        final List<String> changes = new ArrayList<>(List.of(counted));
        if (least != NONE)
        {
            changes.add('~' + ordered(entering.value()) + " > " + words + '[' + at + " + " + (least + 1) + ']');
        }
        if (greatest != NONE)
        {
            changes.add(ordered(entering.value()) + " > " + words + '[' + at + " + " + (greatest + 1) + ']');
        }
        final String any = String.join(" || ", changes);
        return entering.canBeNull() ? "!" + entering.isNull() + " && (" + any + ')' : any;
    }

    /** Writes statements that remove the contributions of several rows. */
    void takeOff(final ExpressionCode code, final UnaryOperator<String> added, final String words, final String at)
    {
        if (sum != NONE)
        {
            code.line(words + '[' + at + " + " + sum + "] -= " + added.apply("s" + sum) + ';');
        }
        if (count != NONE)
        {
            final String counted = words + '[' + at + " + " + count + ']';
            code.line(counted + " -= " + added.apply("s" + count) + ';');
            extreme(code, least, leastTimed, "~", words, at, -1);
            extreme(code, greatest, greatestTimed, "", words, at, -1);
        }
    }

    /**
     * Writes statements that add or remove a value.
     *
     * @param added returns variables for sums that are kept separately; {@code null} for none
     */
    public void change(final ExpressionCode code, final Iterator<Operand> remembered, final String words,
        final String at, final int sign, final UnaryOperator<String> added)
    {
        final String step = sign > 0 ? "++" : "--";
        if (hasHeaps())
        {
            changeValue(code, remembered.next().value(), words, at, sign);
        }
        final Operand value = needsValue() ? remembered.next() : null;
        final String isNull = !canBeNull ? null : value == null ? remembered.next().value() : value.isNull();
        if (isNull != null)
        {
            code.open("if (!" + isNull + ')');
        }
        final String counted = words + '[' + at + " + " + count + ']';
        code.line(counted + step + ';');
        if (added != null)
        {
            code.line(added.apply("s" + count) + step + ';');
        }
        if (added != null && sum != NONE)
        {
            code.line(added.apply("s" + sum) + (sign > 0 ? " += " : " -= ") + value.value() + ';');
        }
        if (sum != NONE)
        {
            changeSum(code, value.value(), words, at, sign);
        }
        if (!hasHeaps())
        {
            extreme(code, least, isTimed() ? leastTimed : leastQueue, "~", words, at, sign);
            extreme(code, greatest, isTimed() ? greatestTimed : greatestQueue, "", words, at, sign);
        }
        if (isNull != null)
        {
            code.close();
        }
    }

    /** Writes statements that add or subtract the values of a pane. */
    public void merge(final ExpressionCode code, final String words, final String at, final String pane,
        final String paneAt, final int sign)
    {
        final String counted = words + '[' + at + " + " + count + ']';
        final String added = pane + '[' + paneAt + " + " + count + ']';
        final String changes = sign > 0 ? " += " : " -= ";
        code.open("if (" + added + " != 0L)");
        code.line(counted + changes + added + ';');
        if (sum != NONE && LocalTypes.isFloating(type))
        {
            final String index = at + " + " + sum;
            code.line((sign > 0 ? "" :
                "if (" + counted + " == 0L) FloatingSums.clear(" + words + ", " + index + "); else ") +
                "FloatingSums.merge(" + words + ", " + index + ", " + pane + ", " + paneAt + " + " + sum + ", " + sign +
                ");");
        }
        else if (sum != NONE)
        {
            final String total = words + '[' + at + " + " + sum + ']';
            final String more = pane + '[' + paneAt + " + " + sum + ']';
            if (wraps != NONE)
            {
                code.line(words + '[' + at + " + " + wraps + ']' + changes + pane + '[' + paneAt + " + " + wraps +
                    "];");
                code.line(words + '[' + at + " + " + wraps + "] += FloatingSums.wraps(" + total + ", " + more + ", " +
                    sign +
                    ");");
            }
            code.line(total + changes + more + ';');
        }
        mergeExtreme(code, least, leastQueue, words, at, pane, paneAt, sign);
        mergeExtreme(code, greatest, greatestQueue, words, at, pane, paneAt, sign);
        code.close();
    }

    private void mergeExtreme(final ExpressionCode code, final int word, final String queue, final String words,
        final String at, final String pane, final String paneAt, final int sign)
    {
        if (word != NONE)
        {
            final String counted = words + '[' + at + " + " + count + ']';
            final String entry = words + ", " + at + " + " + word + ", " + position;
            code.line(queue + (sign < 0 ? ".leave(" + entry + ", " + counted + " == 0L);" : ".enter(" + entry + ", " +
                pane + '[' + paneAt + " + " + (word + 1) + "], " + counted + " == " + pane + '[' + paneAt + " + " +
                count + "]);"));
        }
    }

    private void changeValue(final ExpressionCode code, final String entry, final String words, final String at,
        final int sign)
    {
        if (canBeNull)
        {
            code.open("if (" + entry + " >= 0)");
        }
        final String times = values + ".records[" + entry + " * " + valueWords() + " + " + VALUE_COUNT + ']';
        code.open("if (" + (sign > 0 ? times + "++" : "--" + times) + " == 0L)");
        changeHeap(code, leastHeap, least, entry, words, at, sign);
        changeHeap(code, greatestHeap, greatest, entry, words, at, sign);
        if (sign < 0)
        {
            code.line(values + ".dies(" + entry + ");");
        }
        code.close();
        if (canBeNull)
        {
            code.close();
        }
    }

    /** Writes code that discards extremes that have left, at the end of an instant in which the group has changed. */
    void settle(final ExpressionCode code, final String words, final String at)
    {
        settle(code, leastTimed, least, words, at);
        settle(code, greatestTimed, greatest, words, at);
    }

    private void settle(final ExpressionCode code, final String heap, final int word, final String words,
        final String at)
    {
        if (heap != null)
        {
            code.line("if (" + words + '[' + at + " + " + (word + TimedExtremes.TIME) + "] <= now && " + words + '[' +
                at + " + " + count + "] != 0L) " + heap + ".settle(" + words + ", " + at + " + " + word + ", now);");
        }
    }

    /** Writes code that releases the values of a discarded group. */
    public void forget(final ExpressionCode code, final String words, final String at)
    {
        timed().forEach(heap -> code.line(heap + ".clear(" + words + ", " + at + " + " +
            (heap.equals(leastTimed) ? least : greatest) + ");"));
    }

    private static void changeHeap(final ExpressionCode code, final String heap, final int word, final String entry,
        final String words, final String at, final int sign)
    {
        if (heap != null)
        {
            code.line(heap + (sign > 0 ? ".enter(" : ".leave(") + words + ", " + at + " + " + word + ", " + entry +
                ");");
        }
    }

    private void changeSum(final ExpressionCode code, final String value, final String words, final String at,
        final int sign)
    {
        final String index = at + " + " + sum;
        if (LocalTypes.isFloating(type))
        {
            final String clears = sign > 0 ? "" :
                "if (" + words + '[' + at + " + " + count + "] == 0L) FloatingSums.clear(" +
                words + ", " + index + "); else ";
            code.line(clears + "FloatingSums.add(" + words + ", " + index + ", (double) " + value + ", " + sign + ");");
            return;
        }
        if (wraps != NONE)
        {
            code.line(words + '[' + at + " + " + wraps + "] += FloatingSums.wraps(" + words + '[' + index + "], " +
                value +
                ", " + sign + ");");
        }
        code.line(words + '[' + index + ']' + (sign > 0 ? " += " : " -= ") + value + ';');
    }

    private void extreme(final ExpressionCode code, final int word, final String queue, final String turn,
        final String words, final String at, final int sign)
    {
        if (word == NONE)
        {
            return;
        }
        final String counted = words + '[' + at + " + " + count + ']';
        final String index = at + " + " + word;
        if (isTimed())
        {
            code.line(sign < 0 ? "if (" + counted + " == 0L) " + queue + ".clear(" + words + ", " + index + ");" :
                queue + ".enter(" + words + ", " + index + ", " + turn + ordered(entering.value()) + ", " + leavesAt +
                ", " + counted + ", now);");
            return;
        }
        if (sign < 0)
        {
            code.line(queue + ".leave(" + words + ", " + index + ", " + position + ", " + counted + " == 0L);");
            return;
        }
        final String value = turn + ordered(entering.value());
        if (input == GroupInput.FIFO)
        {
            code.line(queue + ".enter(" + words + ", " + index + ", " + position + ", " + value + ", " + counted +
                " == 1L);");
            return;
        }
        final String greatestYet = words + '[' + index + " + 1]";
        final String variable = code.name("e");
        code.line("final long " + variable + " = " + value + ';');
        code.line("if (" + counted + " == 1L || " + variable + " > " + greatestYet + ") " + greatestYet + " = " +
            variable + ';');
    }

    private String ordered(final String value)
    {
        return switch (type)
        {
            case FLOAT, DOUBLE -> "OrderedLongs.of(" + value + ')';
            case BOOLEAN -> '(' + value + " ? 1L : 0L)";
            default -> "(long) " + value;
        };
    }

    /** Converts a number of rows or values to the type of the result. */
    public static Operand count(final String word, final CqlType type)
    {
        return Operand.notNull(type == CqlType.INT ? "FloatingSums.count(" + word + ')' : word, type);
    }

    /** The value of an aggregate. */
    public Operand value(final FlowNode.Aggregate aggregate, final String words, final String at)
    {
        final String function = aggregate.function();
        if (function.equals("count"))
        {
            return count(words + '[' + at + " + " + count + ']', aggregate.type());
        }
        final String counted = words + '[' + at + " + " + count + ']';
        final String value = switch (function)
        {
            case "min" -> extreme("~" + words + '[' + at + " + " + (least + 1) + ']', aggregate.type());
            case "max" -> extreme(words + '[' + at + " + " + (greatest + 1) + ']', aggregate.type());
            default -> sum(aggregate, words, at, counted);
        };
        return new Operand(value, '(' + counted + " == 0L)", aggregate.type());
    }

    private static String extreme(final String word, final CqlType type)
    {
        return switch (type)
        {
            case INT -> "(int) (" + word + ')';
            case BOOLEAN -> '(' + word + ") == 1L";
            case FLOAT -> "(float) OrderedLongs.value(" + word + ')';
            case DOUBLE -> "OrderedLongs.value(" + word + ')';
            default -> word;
        };
    }

    private String sum(final FlowNode.Aggregate aggregate, final String words, final String at, final String counted)
    {
        final CqlType result = aggregate.type();
        final boolean isAverage = aggregate.function().equals("avg");
        final String total = words + '[' + at + " + " + sum + ']';
        if (!LocalTypes.isFloating(result))
        {
            return result == CqlType.INT ? "(int) " + total : isAverage ? total + " / " + counted : total;
        }
        final String exact = LocalTypes.isFloating(type) ?
            "FloatingSums.value(" + words + ", " + at + " + " + sum + ')' :
            wraps == NONE ? "(double) " + total :
            "FloatingSums.whole(" + total + ", " + words + '[' + at + " + " + wraps + "])";
        final String value = isAverage ? exact + " / " + counted : exact;
        return result == CqlType.FLOAT ? "(float) (" + value + ')' : value;
    }

    public void sweep(final ExpressionCode code)
    {
        if (hasHeaps())
        {
            code.line(values + ".sweep(" + VALUE_COUNT + ");");
        }
    }

    public void state(final ExpressionCode code)
    {
        if (hasHeaps())
        {
            code.line("figures.accept(\"Distinct\", (long) " + values + ".size());");
        }
        timed().forEach(heap -> code.line("figures.accept(\"Extremes\", (long) " + heap + ".size());"));
    }
}
