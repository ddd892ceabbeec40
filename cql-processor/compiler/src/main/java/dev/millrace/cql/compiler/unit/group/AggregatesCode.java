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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The aggregates of a group. Count, sum, avg, min, max and count(distinct) of values that are longs are words of the
 * group's record; what several of them need of one argument is kept once, the different values of an argument also for
 * several filters ({@link DistinctCode}). Word 0 is the number of the group's rows. All others are objects
 * ({@link FunctionCode}).
 *
 * <p>Used by one thread, for one class.
 */
public final class AggregatesCode
{
    /** The multiple of a window's step at which it was looked at last: changes with time. */
    private static final String TICK = "tick of window";
    private static final int ROWS = 0;

    private final List<FlowNode.Aggregate> aggregates;
    private final Map<Argument, ArgumentCode> arguments = new LinkedHashMap<>();
    private final List<Distinct> distincts = new ArrayList<>();
    private final Map<FlowNode.Aggregate, FunctionCode> functions = new LinkedHashMap<>();
    private int words = 1;
    /** Place of the word of the tick; 0 without. */
    private int tick;

    /** What is summed up: a column of the rows that pass a filter, or these rows themselves. */
    private record Argument(int column, int filter)
    {
        static final int NO_COLUMN = -1;

        static Argument of(final FlowNode.Aggregate aggregate)
        {
            return new Argument(
                aggregate.arguments().isEmpty() ? NO_COLUMN : aggregate.arguments().get(0), aggregate.filter());
        }

        CqlType type(final List<CqlType> types)
        {
            return column == NO_COLUMN ? CqlType.BOOLEAN : types.get(column);
        }

        /** Its value in a row, which is null where the row does not pass. */
        Operand of(final Row row)
        {
            final Operand value =
                column == NO_COLUMN ? Operand.notNull("true", CqlType.BOOLEAN) : row.get(column);
            if (filter == FlowNode.Aggregate.ALL_ROWS)
            {
                return value;
            }
            final Operand passes = row.get(filter);
            final String flag = row.code().name("n");
            row.code().line("final boolean " + flag + " = " + (value.canBeNull() ? value.isNull() + " || " : "") +
                (passes.canBeNull() ? passes.isNull() + " || " : "") + '!' + passes.value() + ';');
            return new Operand(value.value(), flag, value.type());
        }
    }

    /** The different values of a column. */
    private record Distinct(int column, DistinctCode code)
    {
    }

    /**
     * Prepares the aggregates.
     *
     * @param isForgotten whether groups may be forgotten that have rows
     */
    public AggregatesCode(final UnitText unit, final String group, final FlowNode.Group node, final GroupInput input,
        final boolean isForgotten)
    {
        aggregates = node.aggregates();
        for (final FlowNode.Aggregate aggregate : aggregates)
        {
            if (aggregate.function().equals(TICK))
            {
                tick = tick == 0 ? words++ : tick;
            }
            else if (!isOfWords(aggregate, node.input().rows().types()))
            {
                functions.computeIfAbsent(aggregate, key -> new FunctionCode(unit, group, key, input));
            }
            else if (isDistinctCount(aggregate))
            {
                final int column = aggregate.arguments().get(0);
                words = distinct(column, aggregate.filter(), () -> new DistinctCode(
                    unit, group, node.input().rows().types().get(column), input, isForgotten))
                    .need(aggregate.filter(), words);
            }
            else if (!isOfAllRows(aggregate))
            {
                words = arguments.computeIfAbsent(Argument.of(aggregate), key -> new ArgumentCode(
                    unit, group, key.type(node.input().rows().types()), input)).need(aggregate, words);
            }
        }
        arguments.values().forEach(ArgumentCode::declare);
        distincts.forEach(each -> each.code().declare());
    }

    private DistinctCode distinct(final int column, final int filter, final Supplier<DistinctCode> another)
    {
        for (final Distinct each : distincts)
        {
            if (each.column() == column && each.code().takes(filter))
            {
                return each.code();
            }
        }
        distincts.add(new Distinct(column, another.get()));
        return distincts.get(distincts.size() - 1).code();
    }

    private static boolean isDistinctCount(final FlowNode.Aggregate aggregate)
    {
        return aggregate.distinct() && aggregate.function().equals("count");
    }

    /** Whether an aggregate is the number of the group's rows. */
    private static boolean isOfAllRows(final FlowNode.Aggregate aggregate)
    {
        return aggregate.arguments().isEmpty() && aggregate.filter() == FlowNode.Aggregate.ALL_ROWS;
    }

    /** Whether all aggregates are words of the group's record alone, so that they begin anew when these are zero. */
    static boolean areWords(final FlowNode.Group group)
    {
        return group.aggregates().stream().allMatch(each -> !each.distinct() && !each.function().equals(TICK) &&
            isOfWords(each, group.input().rows().types()));
    }

    /** Whether those of parts of a group can be added up. */
    static boolean areMerged(final FlowNode.Group group)
    {
        return group.aggregates().stream().allMatch(each -> each.function().equals(TICK) ||
            !isDistinctCount(each) && isOfWords(each, group.input().rows().types()));
    }

    /** Whether an aggregate is words of the group's record. */
    private static boolean isOfWords(final FlowNode.Aggregate aggregate, final List<CqlType> types)
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

    /** Whether a value changes with time. */
    public boolean hasTick()
    {
        return tick != 0;
    }

    /** Place of the word of the tick. */
    public int tick()
    {
        return tick;
    }

    /** Words of a group. */
    public int words()
    {
        return words;
    }

    /** Columns that are read. */
    public List<Integer> reads()
    {
        final Set<Integer> reads = new LinkedHashSet<>();
        arguments.keySet().forEach(argument ->
        {
            reads.add(argument.column());
            reads.add(argument.filter());
        });
        distincts.forEach(each ->
        {
            reads.add(each.column());
            reads.addAll(each.code().filters());
        });
        // Neither a column nor a filter.
        reads.removeIf(column -> column < 0);
        functions.values().forEach(function -> reads.addAll(function.reads()));
        return List.copyOf(reads);
    }

    /** Learns that rows leave in the order in which they came. */
    public void over(final RingColumns ring)
    {
        arguments.values().forEach(argument -> argument.over(ring));
    }

    /**
     * Takes a row in as far as that can fail: looks its values up and gives it to functions; opens a block of the row
     * in which it is taken.
     *
     * @param id      of the group
     * @param isFirst Java condition of whether the group has no other row
     * @param lost    statement for a row that is turned away
     * @return what must be remembered of the row so that it can be taken off
     */
    public List<Operand> entering(final Row row, final String id, final String isFirst, final String lost)
    {
        final List<Operand> remembered = new ArrayList<>();
        final StringBuilder undo = new StringBuilder(lost);
        arguments.forEach((argument, code) ->
            undo.insert(0, code.remember(row, argument.of(row), id, undo.toString(), remembered)));
        distincts.forEach(each ->
            undo.insert(0, each.code().remember(row, each.column(), id, undo.toString(), remembered)));
        functions.values().forEach(function ->
            undo.insert(0, function.enter(row, id, isFirst, undo.toString(), remembered)));
        return remembered;
    }

    /** What is remembered of a row that leaves and is found by its values; opens a block in which they are found. */
    public List<Operand> leaving(final Row row, final String id)
    {
        final List<Operand> remembered = new ArrayList<>();
        arguments.forEach((argument, code) -> code.remember(row, argument.of(row), id, "", remembered));
        distincts.forEach(each -> each.code().remember(row, each.column(), id, "", remembered));
        functions.values().forEach(function -> remembered.addAll(function.leaving(row)));
        return remembered;
    }

    /**
     * Writes statements that add a row or take it off.
     *
     * @param values what is remembered of the row
     * @param id     of the group
     * @param words  name of the array
     * @param at     name of the place of the first word
     * @param sign   1 or -1
     * @param added  gives variables of what is added up apart; {@code null} where nothing is
     */
    public void change(final ExpressionCode code, final List<Operand> values, final String id, final String words,
        final String at, final int sign, final UnaryOperator<String> added)
    {
        final String step = sign > 0 ? "++;" : "--;";
        code.line(words + '[' + at + ']' + step);
        if (added != null)
        {
            code.line(added.apply("s") + step);
        }
        final Iterator<Operand> next = values.iterator();
        arguments.values().forEach(argument -> argument.change(code, next, words, at, sign, added));
        distincts.forEach(each -> each.code().change(code, next, words, at, sign));
        functions.values().forEach(function -> function.change(code, next, id, sign));
    }

    /** Whether nothing is shown but extremes, which most rows that enter leave as they are. */
    boolean areExtremes()
    {
        return functions.isEmpty() && distincts.isEmpty() && !arguments.isEmpty() && aggregates.stream().allMatch(
            each -> each.function().equals("min") || each.function().equals("max"));
    }

    /** Java condition of whether a row that enters a group with rows changes an extreme. */
    String changes(final String words, final String at)
    {
        return arguments.values().stream().map(argument -> argument.changes(words, at))
            .collect(Collectors.joining(" || "));
    }

    /** Whether what rows have added can be taken off in one, by their sums. */
    boolean areAdditive()
    {
        return functions.isEmpty() && distincts.isEmpty() && tick == 0 &&
            arguments.values().stream().allMatch(ArgumentCode::isAdditive);
    }

    /** Writes statements that take off what rows have added. */
    void takeOff(final ExpressionCode code, final UnaryOperator<String> added, final String words, final String at)
    {
        code.line(words + '[' + at + "] -= " + added.apply("s") + ';');
        arguments.values().forEach(argument -> argument.takeOff(code, added, words, at));
    }

    /** Learns that it is added up from panes. */
    public void overPanes(final String ring)
    {
        arguments.values().forEach(argument -> argument.overPanes(ring));
    }

    /**
     * Writes statements that add what a pane has of a group, at position {@code id} of its ring, or take it off.
     *
     * @param words  name of the array of groups
     * @param at     name of the place of the first word
     * @param pane   name of the array of panes
     * @param paneAt name of the place of the first word there
     * @param sign   1 or -1
     */
    public void merge(final ExpressionCode code, final String words, final String at, final String pane,
        final String paneAt, final int sign)
    {
        code.line(words + '[' + at + "] " + (sign > 0 ? "+= " : "-= ") + pane + '[' + paneAt + "];");
        arguments.values().forEach(argument -> argument.merge(code, words, at, pane, paneAt, sign));
    }

    /** Writes what happens to a group that is forgotten with all its rows: its words are those of a new one. */
    public void forget(final ExpressionCode code, final String words, final String at)
    {
        arguments.values().forEach(argument -> argument.forget(code, words, at));
        distincts.forEach(each -> each.code().forget(code, words, at));
        code.line("java.util.Arrays.fill(" + words + ", " + at + ", " + at + " + " + this.words + ", 0L);");
    }

    /** Whether it must know when rows leave. */
    boolean isTimed()
    {
        return arguments.values().stream().anyMatch(ArgumentCode::isTimed);
    }

    /** Writes statements that compute the values of a group that has changed. */
    void compute(final ExpressionCode code, final String id, final String words, final String at)
    {
        arguments.values().forEach(argument -> argument.settle(code, words, at));
        functions.values().forEach(function -> function.compute(code, id));
    }

    /** Writes statements for a group whose change was shown. */
    public void shown(final ExpressionCode code, final String id, final String isGone)
    {
        functions.values().forEach(function -> function.shown(code, id, isGone));
    }

    /** Whether there are values to compute. */
    public boolean hasFunctions()
    {
        return !functions.isEmpty();
    }

    /**
     * The value of an aggregate.
     *
     * @param index    which
     * @param id       of the group
     * @param isBefore whether that before the change is wanted
     * @param words    Java expression of the array
     * @param at       Java expression of the place of the first word
     */
    public Operand value(final ExpressionCode code, final int index, final String id, final boolean isBefore,
        final String words, final String at)
    {
        final FlowNode.Aggregate aggregate = aggregates.get(index);
        if (functions.containsKey(aggregate))
        {
            return functions.get(aggregate).value(code, id, isBefore);
        }
        if (aggregate.function().equals(TICK))
        {
            return new Operand(words + '[' + at + " + " + tick + ']', '(' + words + '[' + at + "] == 0L)",
                aggregate.type());
        }
        if (isOfAllRows(aggregate))
        {
            return ArgumentCode.count(words + '[' + at + " + " + ROWS + ']', aggregate.type());
        }
        return isDistinctCount(aggregate) ?
            distinct(aggregate.arguments().get(0), aggregate.filter(), null).value(aggregate, words, at) :
            arguments.get(Argument.of(aggregate)).value(aggregate, words, at);
    }

    /** Writes what happens when a batch is over. */
    public void sweep(final ExpressionCode code)
    {
        arguments.values().forEach(argument -> argument.sweep(code));
        distincts.forEach(each -> each.code().sweep(code));
    }

    /** Writes what is told about state. */
    public void state(final ExpressionCode code)
    {
        arguments.values().forEach(argument -> argument.state(code));
        distincts.forEach(each -> each.code().state(code));
    }
}
