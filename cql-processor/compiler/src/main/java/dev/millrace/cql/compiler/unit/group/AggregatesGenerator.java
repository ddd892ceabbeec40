package dev.millrace.cql.compiler.unit.group;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.RingColumns;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
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
 * group's record; words that several of them need for one argument are stored once, and so are the distinct values of
 * an argument for several filters ({@link DistinctGenerator}). Word 0 is the number of the group's rows. All other
 * aggregates are objects ({@link FunctionAggregateGenerator}).
 *
 * <p>Not thread-safe; used for one class.
 */
public final class AggregatesGenerator
{
    private static final int ROWS = 0;

    private final UnitSource unit;
    private final List<FlowNode.Aggregate> aggregates;
    private final Map<Argument, AggregateArgumentGenerator> arguments = new LinkedHashMap<>();
    private final List<Distinct> distincts = new ArrayList<>();
    private final Map<FlowNode.Aggregate, FunctionAggregateGenerator> functions = new LinkedHashMap<>();
    private int words = 1;
    /** Index of the word with the tick; 0 without. */
    private int tick;

    /** The argument of an aggregate: a column of the rows that pass a filter, or these rows themselves. */
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

        /** Its value in a row, which is null when the row does not pass the filter. */
        Operand of(final SymbolicRow row)
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

    /** The distinct values of a column. */
    private record Distinct(int column, DistinctGenerator code)
    {
    }

    /**
     * @param isForgotten whether groups that have rows may be discarded
     */
    public AggregatesGenerator(final UnitSource unit, final String group, final FlowNode.Group node,
        final GroupInput input,
        final boolean isForgotten)
    {
        this.unit = unit;
        aggregates = node.aggregates();
        for (final FlowNode.Aggregate aggregate : aggregates)
        {
            if (aggregate.function().equals(AggregateWords.TICK))
            {
                tick = tick == 0 ? words++ : tick;
            }
            else if (!AggregateWords.isOfWords(aggregate, node.input().rows().types()))
            {
                functions.computeIfAbsent(aggregate, key -> new FunctionAggregateGenerator(unit, group, key, input));
            }
            else if (AggregateWords.isDistinctCount(aggregate))
            {
                final int column = aggregate.arguments().get(0);
                words = distinct(column, aggregate.filter(), () -> new DistinctGenerator(
                    unit, group, node.input().rows().types().get(column), input, isForgotten))
                    .need(aggregate.filter(), words);
            }
            else if (!isOfAllRows(aggregate))
            {
                words = arguments.computeIfAbsent(Argument.of(aggregate), key -> new AggregateArgumentGenerator(
                    unit, group, key.type(node.input().rows().types()), input)).need(aggregate, words);
            }
        }
        arguments.values().forEach(AggregateArgumentGenerator::declare);
        distincts.forEach(each -> each.code().declare());
    }

    private DistinctGenerator distinct(final int column, final int filter, final Supplier<DistinctGenerator> another)
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

    /** Whether an aggregate is the number of the group's rows. */
    private static boolean isOfAllRows(final FlowNode.Aggregate aggregate)
    {
        return aggregate.arguments().isEmpty() && aggregate.filter() == FlowNode.Aggregate.ALL_ROWS;
    }

    /** Whether a value changes with time. */
    public boolean hasTick()
    {
        return tick != 0;
    }

    /** Index of the word with the tick. */
    public int tick()
    {
        return tick;
    }

    /** Words per group. */
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

    /** Called when rows leave in order of arrival. */
    public void over(final RingColumns ring)
    {
        arguments.values().forEach(argument -> argument.over(ring));
    }

    /** Writes the look-up of strings of a row that will be stored, before the row changes any state. */
    void lookUp(final SymbolicRow row)
    {
        distincts.forEach(each -> unit.lookUp(row.code(), row.get(each.column())));
        functions.values().forEach(function -> function.lookUp(row));
    }

    /**
     * Performs the part of adding a row that can fail: looks its values up and passes it to functions; opens a block of
     * the row for the case of success.
     *
     * @param isFirst Java condition for whether the group has no other row
     * @param lost    statement for a row that is rejected
     * @return values of the row that must be stored so that it can be removed
     */
    public List<Operand> entering(final SymbolicRow row, final String id, final String isFirst, final String lost)
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

    /** The stored values of a row that leaves and is found by its columns; opens a block in which they are known. */
    public List<Operand> leaving(final SymbolicRow row, final String id)
    {
        final List<Operand> remembered = new ArrayList<>();
        arguments.forEach((argument, code) -> code.remember(row, argument.of(row), id, "", remembered));
        distincts.forEach(each -> each.code().remember(row, each.column(), id, "", remembered));
        functions.values().forEach(function -> remembered.addAll(function.leaving(row)));
        return remembered;
    }

    /**
     * Writes statements that add or remove a row.
     *
     * @param values stored values of the row
     * @param id     of the group
     * @param words  name of the array
     * @param at     name of the index of the first word
     * @param sign   1 or -1
     * @param added  returns variables for sums that are kept separately; {@code null} for none
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

    /** Whether the output consists of extremes only, which most rows that enter do not change. */
    boolean areExtremes()
    {
        return functions.isEmpty() && distincts.isEmpty() && !arguments.isEmpty() && aggregates.stream().allMatch(
            each -> each.function().equals("min") || each.function().equals("max"));
    }

    /** Java condition for whether a row that enters a group with rows changes an extreme. */
    String changes(final String words, final String at)
    {
        return arguments.values().stream().map(argument -> argument.changes(words, at))
            .collect(Collectors.joining(" || "));
    }

    /** Whether the contributions of several rows can be removed at once, by their sums. */
    boolean areAdditive()
    {
        return functions.isEmpty() && distincts.isEmpty() && tick == 0 &&
            arguments.values().stream().allMatch(AggregateArgumentGenerator::isAdditive);
    }

    /** Writes statements that remove the contributions of several rows. */
    void takeOff(final ExpressionCode code, final UnaryOperator<String> added, final String words, final String at)
    {
        code.line(words + '[' + at + "] -= " + added.apply("s") + ';');
        arguments.values().forEach(argument -> argument.takeOff(code, added, words, at));
    }

    /** Called when its values are added up from panes. */
    public void overPanes(final String ring)
    {
        arguments.values().forEach(argument -> argument.overPanes(ring));
    }

    /**
     * Writes statements that add or subtract the values of a group in a pane, at position {@code id} of its ring.
     *
     * @param words  name of the array of groups
     * @param at     name of the index of the first word
     * @param pane   name of the array of panes
     * @param paneAt name of the index of the first word there
     * @param sign   1 or -1
     */
    public void merge(final ExpressionCode code, final String words, final String at, final String pane,
        final String paneAt, final int sign)
    {
        code.line(words + '[' + at + "] " + (sign > 0 ? "+= " : "-= ") + pane + '[' + paneAt + "];");
        arguments.values().forEach(argument -> argument.merge(code, words, at, pane, paneAt, sign));
    }

    /** Writes the code for a group that is discarded with all its rows: its words are reset. */
    public void forget(final ExpressionCode code, final String words, final String at)
    {
        arguments.values().forEach(argument -> argument.forget(code, words, at));
        distincts.forEach(each -> each.code().forget(code, words, at));
        code.line("java.util.Arrays.fill(" + words + ", " + at + ", " + at + " + " + this.words + ", 0L);");
    }

    /** Whether it needs the leave time of rows. */
    boolean isTimed()
    {
        return arguments.values().stream().anyMatch(AggregateArgumentGenerator::isTimed);
    }

    /** Writes statements that compute the values of a group that has changed. */
    void compute(final ExpressionCode code, final String id, final String words, final String at)
    {
        arguments.values().forEach(argument -> argument.settle(code, words, at));
        functions.values().forEach(function -> function.compute(code, id));
    }

    /** Writes statements for a group whose change was emitted. */
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
     * @param id       of the group
     * @param isBefore whether to read the value before the change
     * @param words    Java expression of the array
     * @param at       Java expression of the index of the first word
     */
    public Operand value(final ExpressionCode code, final int index, final String id, final boolean isBefore,
        final String words, final String at)
    {
        final FlowNode.Aggregate aggregate = aggregates.get(index);
        if (functions.containsKey(aggregate))
        {
            return functions.get(aggregate).value(code, id, isBefore);
        }
        if (aggregate.function().equals(AggregateWords.TICK))
        {
            return new Operand(words + '[' + at + " + " + tick + ']', '(' + words + '[' + at + "] == 0L)",
                aggregate.type());
        }
        if (isOfAllRows(aggregate))
        {
            return AggregateArgumentGenerator.count(words + '[' + at + " + " + ROWS + ']', aggregate.type());
        }
        return AggregateWords.isDistinctCount(aggregate) ?
            distinct(aggregate.arguments().get(0), aggregate.filter(), null).value(aggregate, words, at) :
            arguments.get(Argument.of(aggregate)).value(aggregate, words, at);
    }

    /** Writes the code for the end of a batch. */
    public void sweep(final ExpressionCode code)
    {
        arguments.values().forEach(argument -> argument.sweep(code));
        distincts.forEach(each -> each.code().sweep(code));
    }

    /** Writes the report of its size. */
    public void state(final ExpressionCode code)
    {
        arguments.values().forEach(argument -> argument.state(code));
        distincts.forEach(each -> each.code().state(code));
    }
}
