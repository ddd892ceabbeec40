package dev.millrace.cql.compiler.unit.group;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.RowWords;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The distinct values of one argument in each group, for counts with any filters: one table of values, in which a value
 * has a bit per filter when rows never leave, otherwise a count per filter. A row looks its value up once, and not at
 * all when it passes no filter. Null values are ignored.
 *
 * <p>Not thread-safe; used for one class.
 */
final class DistinctGenerator
{
    /** Maximum number of filters: their bits are in a long. */
    static final int MOST_FILTERS = Long.SIZE;

    private static final int NONE = -1;
    /** Words of a value: group, value, then its bits, or the number of rows that have it; counts by filter follow. */
    private static final int VALUE = 1;
    private static final int COUNT = 2;

    private final UnitSource unit;
    private final String group;
    private final CqlType type;
    private final boolean isGrowing;
    private final boolean isChained;
    /** Words of the group's record with the counts, by filter. */
    private final Map<Integer, Integer> counts = new LinkedHashMap<>();
    /** Word of the group's record with the last value, when values must be found again; plus one. */
    private int chain = NONE;
    /** Name of the table. */
    private String values;

    /**
     * @param isForgotten whether groups that have rows may be discarded
     */
    DistinctGenerator(final UnitSource unit, final String group, final CqlType type, final GroupInput input,
        final boolean isForgotten)
    {
        this.unit = unit;
        this.group = group;
        this.type = type;
        isGrowing = input == GroupInput.GROWING;
        isChained = isForgotten && isGrowing;
    }

    /** Whether it can also count with a filter. */
    boolean takes(final int filter)
    {
        return counts.size() < MOST_FILTERS || counts.containsKey(filter);
    }

    /** Reserves words for a count, from the given index; returns the next free one. */
    int need(final int filter, final int from)
    {
        int next = from;
        if (isChained && chain == NONE)
        {
            chain = next++;
        }
        if (!counts.containsKey(filter))
        {
            counts.put(filter, next++);
        }
        return next;
    }

    /** Filters whose columns are read. */
    List<Integer> filters()
    {
        return counts.keySet().stream().filter(filter -> filter != FlowNode.Aggregate.ALL_ROWS).toList();
    }

    private boolean countsAll()
    {
        return counts.containsKey(FlowNode.Aggregate.ALL_ROWS);
    }

    private boolean hasMask()
    {
        return counts.size() > 1;
    }

    /** Declares its table, after all aggregates have stated their needs. */
    void declare()
    {
        values = unit.name(group + "values");
        unit.field("final LongPairKeys", values, "new LongPairKeys(" + width() + ", maxRows, memory)");
        if (type == CqlType.CHAR)
        {
            unit.construct(values + ".hold(held(new int[] {" + VALUE + "}, new int[0]));");
        }
    }

    /** Words per value: after its count, the counts by filter when rows leave, or the previous value in a chain. */
    private int width()
    {
        return COUNT + 1 + (isChained ? 1 : 0) + (!isGrowing && hasMask() ? filters().size() : 0);
    }

    /** The bit of a filter. */
    private String bit(final int filter)
    {
        final long bit = 1L << List.copyOf(counts.keySet()).indexOf(filter);
        return bit + (isInt() ? "" : "L");
    }

    private boolean isInt()
    {
        return counts.size() < Integer.SIZE;
    }

    /**
     * Looks the value of a row up and adds the values that must be stored for it; opens a block of the row for the case
     * of success.
     *
     * @param id   of the group
     * @param lost statements for a row that is rejected
     * @return statements that undo the changes
     */
    String remember(final SymbolicRow row, final int column, final String id, final String lost,
        final List<Operand> remembered)
    {
        final ExpressionCode code = row.code();
        final Operand value = row.get(column);
        final List<String> skips = new ArrayList<>();
        if (value.canBeNull())
        {
            skips.add(value.isNull());
        }
        String mask = null;
        if (hasMask())
        {
            mask = code.name("m");
            final List<String> bits = new ArrayList<>();
            counts.keySet().forEach(filter -> bits.add(filter == FlowNode.Aggregate.ALL_ROWS ? bit(filter) :
                '(' + passes(row.get(filter)) + " ? " + bit(filter) + " : 0)"));
            code.line("final " + (isInt() ? "int " : "long ") + mask + " = " + String.join(" | ", bits) + ';');
            if (!countsAll())
            {
                skips.add(mask + " == 0");
            }
        }
        else if (!countsAll())
        {
            skips.add("!(" + passes(row.get(filters().get(0))) + ')');
        }
        final String entry = code.name("d");
        final String word = new RowWords(unit, List.of(type), List.of(false)).of(code, List.of(value)).get(0);
        code.line("final int " + entry + " = " + (skips.isEmpty() ? "" : String.join(" || ", skips) + " ? -2 : ") +
            values + ".findOrAdd((long) " + id + ", " + word + ");");
        row.open("if (" + entry + " == -1) { " + lost + " full(\"values\"); } else");
        remembered.add(Operand.notNull(entry, CqlType.INT));
        if (hasMask())
        {
            remembered.add(Operand.notNull(mask, isInt() ? CqlType.INT : CqlType.BIGINT));
        }
        return "if (" + entry + " >= 0 && " + values + ".records[" + entry + " * " + width() + " + " + COUNT +
            "] == 0L) " + values + ".dies(" + entry + "); ";
    }

    private static String passes(final Operand filter)
    {
        return filter.canBeNull() ? '!' + filter.isNull() + " && " + filter.value() : filter.value();
    }

    /** Writes statements that add or remove a value. */
    void change(final ExpressionCode code, final Iterator<Operand> remembered, final String words, final String at,
        final int sign)
    {
        final String entry = remembered.next().value();
        final String mask = hasMask() ? remembered.next().value() : null;
        code.open("if (" + entry + " >= 0)");
        final String all = code.name("x");
        final String base = code.name("y");
        code.line("final long[] " + all + " = " + values + ".records;");
        code.line("final int " + base + " = " + entry + " * " + width() + " + " + COUNT + ';');
        final String count = all + '[' + base + ']';
        if (!isGrowing)
        {
            changeCounts(code, entry, mask, all, base, words, at, sign);
        }
        else if (!hasMask())
        {
            code.open("if (" + count + " == 0L)");
            chain(code, entry, all, base, words, at);
            code.line(count + " = 1L;");
            counts.values().forEach(word -> code.line(words + '[' + at + " + " + word + "]++;"));
            code.close();
        }
        else
        {
            final String added = code.name("b");
            code.line("final long " + added + " = " + mask + " & ~" + count + ';');
            code.open("if (" + added + " != 0L)");
            if (chain != NONE)
            {
                code.open("if (" + count + " == 0L)");
                chain(code, entry, all, base, words, at);
                code.close();
            }
            code.line(count + " |= " + added + ';');
            final List<Integer> of = List.copyOf(counts.values());
            for (int i = 0; i < of.size(); i++)
            {
                code.line(words + '[' + at + " + " + of.get(i) + "] += " + added + " >>> " + i + " & 1L;");
            }
            code.close();
        }
        code.close();
    }

    private void changeCounts(final ExpressionCode code, final String entry, final String mask, final String all,
        final String base, final String words, final String at, final int sign)
    {
        if (hasMask())
        {
            int next = 1;
            for (final int filter : filters())
            {
                final String own = all + '[' + base + " + " + next++ + ']';
                code.line("if ((" + mask + " & " + bit(filter) + ") != 0 && " + (sign > 0 ? own + "++" : "--" + own) +
                    " == 0L) " + words + '[' + at + " + " + counts.get(filter) + (sign > 0 ? "]++;" : "]--;"));
            }
        }
        final String count = all + '[' + base + ']';
        final int word = hasMask() ? counts.getOrDefault(FlowNode.Aggregate.ALL_ROWS, NONE) :
            counts.values().iterator().next();
        code.open("if (" + (sign > 0 ? count + "++" : "--" + count) + " == 0L)");
        if (word != NONE)
        {
            code.line(words + '[' + at + " + " + word + (sign > 0 ? "]++;" : "]--;"));
        }
        if (sign < 0)
        {
            code.line(values + ".dies(" + entry + ");");
        }
        code.close();
    }

    /** Writes statements that prepend a new value to those of its group. */
    private void chain(final ExpressionCode code, final String entry, final String all, final String base,
        final String words, final String at)
    {
        if (chain != NONE)
        {
            final String last = words + '[' + at + " + " + chain + ']';
            code.line(all + '[' + base + " + 1] = " + last + ';');
            code.line(last + " = " + entry + " + 1L;");
        }
    }

    /** Writes code that releases the values of a discarded group. */
    void forget(final ExpressionCode code, final String words, final String at)
    {
        if (chain == NONE)
        {
            return;
        }
        code.open("for (int d = (int) " + words + '[' + at + " + " + chain + "] - 1; d >= 0; )");
        code.line("final int v = d * " + width() + " + " + COUNT + ';');
        code.line(values + ".records[v] = 0L;");
        code.line(values + ".dies(d);");
        code.line("d = (int) " + values + ".records[v + 1] - 1;");
        code.close();
    }

    /** The number of distinct values that pass a filter. */
    Operand value(final FlowNode.Aggregate aggregate, final String words, final String at)
    {
        return AggregateArgumentGenerator.count(words + '[' + at + " + " + counts.get(aggregate.filter()) + ']',
            aggregate.type());
    }

    void sweep(final ExpressionCode code)
    {
        if (!isGrowing || chain != NONE)
        {
            code.line(values + ".sweep(" + COUNT + ");");
        }
    }

    void state(final ExpressionCode code)
    {
        code.line("figures.accept(\"Distinct\", (long) " + values + ".size());");
    }
}
