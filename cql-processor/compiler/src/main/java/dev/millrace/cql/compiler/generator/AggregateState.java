package dev.millrace.cql.compiler.generator;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.emit.ClassContext;
import dev.millrace.cql.compiler.emit.ExpressionEmitter;
import dev.millrace.cql.compiler.emit.HavingAnalysis;
import dev.millrace.cql.compiler.emit.JavaText;
import dev.millrace.cql.compiler.emit.JavaTypes;
import dev.millrace.cql.compiler.emit.KeySlots;
import dev.millrace.cql.compiler.emit.LeafResolver;
import dev.millrace.cql.compiler.emit.MethodScope;
import dev.millrace.cql.compiler.emit.PlanNode;
import dev.millrace.cql.compiler.emit.SlotArrays;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Expression;
import java.util.ArrayList;
import java.util.List;

/**
 * Arrays of a grouped aggregation, by slot of the group: a bit for its existence, a bit for each aggregate that has
 * seen a value, and the running values. Sums of floating-point numbers have a compensation (two-sum, without a branch),
 * so that their error does not grow with the number of rows.
 */
final class AggregateState
{
    private static final int MAX_FLAGS = 31;

    private final ClassContext context;
    private final PlanNode node;
    private final Operator.GroupedAggregate aggregate;
    /** Bit of each aggregate in the flags; 0 when an existing group always has a value. */
    private final int[] seenBits;
    /** Aggregates that certainly have a value after the current row, in the method being written. */
    private final boolean[] seenNow;
    /** Whether flags are stored; see {@link HavingAnalysis}. */
    private final boolean flagged;
    private final SlotArrays arrays;
    private final String flags;
    private final String flagsElement;

    AggregateState(final ClassContext context, final PlanNode node, final SlotArrays arrays)
    {
        this.arrays = arrays;
        this.context = context;
        this.node = node;
        aggregate = (Operator.GroupedAggregate)node.operator;
        seenBits = new int[aggregate.aggregates().size()];
        seenNow = new boolean[seenBits.length];
        int used = 1;
        for (int i = 0; i < seenBits.length; i++)
        {
            final Operator.Aggregate each = aggregate.aggregates().get(i);
            checkType(each);
            if (each.function() != Operator.AggregateFunction.COUNT &&
                each.function() != Operator.AggregateFunction.AVG)
            {
                seenBits[i] = 1 << used;
                used++;
            }
        }
        if (used > MAX_FLAGS)
        {
            throw ClassContext.unsupported(node, used - 1 + " aggregates in one query",
                "use at most " + (MAX_FLAGS - 1));
        }
        flags = "flags" + node.number;
        flagsElement = used < Byte.SIZE ? "byte" : "int";
        flagged = aggregate.keys().isEmpty() || !HavingAnalysis.implyThatAllAreThere(aggregate);
        if (flagged)
        {
            arrays.add(flags, flagsElement, 1, null);
        }
        else
        {
            java.util.Arrays.fill(seenBits, 0);
        }
        for (int i = 0; i < seenBits.length; i++)
        {
            if (isHeld(i))
            {
                arrays.addCodes(array(i), 1);
            }
            else
            {
                arrays.add(array(i), element(i), isCompensated(i) ? 2 : 1, null);
            }
            if (function(i) == Operator.AggregateFunction.AVG)
            {
                arrays.add(counts(i), "long", 1, null);
            }
        }
    }

    private void checkType(final Operator.Aggregate each)
    {
        final CqlType type = each.argument() == null ? CqlType.BIGINT : each.argument().type();
        final boolean sums = each.function() == Operator.AggregateFunction.SUM ||
            each.function() == Operator.AggregateFunction.AVG;
        final boolean orders = each.function() == Operator.AggregateFunction.MIN ||
            each.function() == Operator.AggregateFunction.MAX;
        if (sums && (!type.isNumeric() || type == CqlType.BIGDECIMAL) ||
            orders && (type.storage() == dev.millrace.api.event.ColumnStorage.REFERENCE || type == CqlType.BOOLEAN))
        {
            throw ClassContext.unsupported(node, each.function() + " of " + type.cqlName(),
                "convert the argument to double or bigint");
        }
    }

    private Operator.AggregateFunction function(final int index)
    {
        return aggregate.aggregates().get(index).function();
    }

    private CqlType argumentType(final int index)
    {
        return aggregate.aggregates().get(index).argument().type();
    }

    private boolean isCompensated(final int index)
    {
        return function(index) == Operator.AggregateFunction.AVG ||
            function(index) == Operator.AggregateFunction.SUM &&
            (argumentType(index) == CqlType.DOUBLE || argumentType(index) == CqlType.FLOAT);
    }

    /** Whether an aggregate is a string whose code the group retains. */
    private boolean isHeld(final int index)
    {
        return (function(index) == Operator.AggregateFunction.MIN ||
            function(index) == Operator.AggregateFunction.MAX) && argumentType(index) == CqlType.CHAR;
    }

    private String element(final int index)
    {
        return switch (function(index))
        {
            case COUNT -> "long";
            case SUM, AVG -> isCompensated(index) ? "double" : "long";
            case MIN, MAX -> JavaTypes.element(argumentType(index));
        };
    }

    private String array(final int index)
    {
        return "a" + node.number + '_' + index;
    }

    private String counts(final int index)
    {
        return "n" + node.number + '_' + index;
    }

    /** Whether the locals {@code had} and {@code has} exist. */
    boolean isFlagged()
    {
        return flagged;
    }

    /** Writes locals with the state before the row: {@code had}, {@code s0 c0} for sums, {@code w0} for others. */
    void writeLoadOld(final JavaText body, final MethodScope scope, final String slot, final boolean exact)
    {
        arrays.writeFar(body, slot, exact);
        if (flagged)
        {
            body.line("final int had = " + arrays.array(scope, flags, exact) + '[' + slot + "];");
        }
        for (int i = 0; i < seenBits.length; i++)
        {
            final String from = arrays.array(scope, array(i), exact);
            if (isCompensated(i))
            {
                body.line("final double s" + i + " = " + from + '[' + slot + " * 2];");
                body.line("final double comp" + i + " = " + from + '[' + slot + " * 2 + 1];");
            }
            else
            {
                body.line("final " + element(i) + " w" + i + " = " + from + '[' + slot + "];");
            }
            if (function(i) == Operator.AggregateFunction.AVG)
            {
                body.line("final long q" + i + " = " + arrays.array(scope, counts(i), exact) + '[' + slot + "];");
            }
        }
    }

    /** A part of a group's state that a run of its rows keeps in locals: type, local, array and index in it. */
    private record Held(String type, String local, String array, String offset)
    {
    }

    private List<Held> held()
    {
        final List<Held> held = new ArrayList<>();
        for (int i = 0; i < seenBits.length; i++)
        {
            if (isCompensated(i))
            {
                held.add(new Held("double", "s" + i, array(i), " * 2"));
                held.add(new Held("double", "comp" + i, array(i), " * 2 + 1"));
            }
            else
            {
                held.add(new Held(element(i), "w" + i, array(i), ""));
            }
            if (function(i) == Operator.AggregateFunction.AVG)
            {
                held.add(new Held("long", "q" + i, counts(i), ""));
            }
        }
        return held;
    }

    /** Whether the state of a group may stay in locals while consecutive rows belong to it. */
    boolean canRun()
    {
        return !flagged;
    }

    /** Before the loop: loads the state of group {@code last} into locals whose names end in {@code Held}. */
    void writeRunStart(final JavaText body, final MethodScope scope)
    {
        held().forEach(each -> body.line(each.type + ' ' + each.local + "Held = " +
            arrays.array(scope, each.array, false) + "[last" + each.offset + "];"));
    }

    /** In the loop, instead of {@link #writeLoadOld}: when the group changes, stores the state of the last one. */
    void writeRunLoad(final JavaText body, final MethodScope scope, final String slot)
    {
        body.open("if (" + slot + " != last)");
        writeRunEnd(body, scope);
        body.line("last = " + slot + ';');
        held().forEach(each -> body.line(each.local + "Held = " + arrays.array(scope, each.array, false) + "[last" +
            each.offset + "];"));
        body.close();
        held().forEach(each -> body.line("final " + each.type + ' ' + each.local + " = " + each.local + "Held;"));
    }

    /** In the loop, instead of {@link #writeStore}. */
    void writeRunStore(final JavaText body)
    {
        held().forEach(each -> body.line(each.local + "Held = " + each.local + "New;"));
    }

    /** After the loop: stores the state of the last group. */
    void writeRunEnd(final JavaText body, final MethodScope scope)
    {
        held().forEach(each -> body.line(arrays.array(scope, each.array, false) + "[last" + each.offset + "] = " +
            each.local + "Held;"));
    }

    /** Writes locals with the state after the row: the same names with {@code New}. */
    void writeNew(final JavaText body, final ExpressionEmitter row)
    {
        final StringBuilder has = new StringBuilder("had | 1");
        for (int i = 0; i < seenBits.length; i++)
        {
            final Operator.Aggregate each = aggregate.aggregates().get(i);
            final String value = each.argument() == null ? null : row.value(each.argument());
            final String isNull = each.argument() == null ? null : row.nullFlag(each.argument());
            seenNow[i] = isNull == null;
            if (seenBits[i] != 0)
            {
                has.append(isNull == null ? " | " + seenBits[i] : " | (" + isNull + " ? 0 : " + seenBits[i] + ")");
            }
            if (each.function() == Operator.AggregateFunction.AVG)
            {
                body.line("final long q" + i + "New = q" + i + " + " + (isNull == null ? "1L" :
                    "(" + isNull + " ? 0L : 1L)") + ';');
            }
            if (isCompensated(i))
            {
                writeCompensated(body, i, value, isNull, JavaTypes.zero(argumentType(i)));
            }
            else
            {
                body.line("final " + element(i) + " w" + i + "New = " + newValue(i, value, isNull) + ';');
            }
        }
        if (flagged)
        {
            body.line("final int has = " + has + ';');
        }
    }

    private static void writeCompensated(final JavaText body, final int index, final String value, final String isNull,
        final String zero)
    {
        final String s = "s" + index;
        final String added = isNull == null ? value : isNull + " ? " + zero + " : " + value;
        body.line("final double d" + index + " = " + added + ';');
        body.line("final double " + s + "New = " + s + " + d" + index + ';');
        body.line("final double t" + index + " = " + s + "New - " + s + ';');
        body.line("final double comp" + index + "New = comp" + index + " + ((" + s + " - (" + s + "New - t" + index +
            ")) + (d" + index + " - t" + index + "));");
    }

    private String newValue(final int index, final String value, final String isNull)
    {
        final String old = "w" + index;
        final String present = isNull == null ? null : "!" + isNull;
        return switch (function(index))
        {
            case COUNT -> old + " + " + (isNull == null ? "1L" : "(" + isNull + " ? 0L : 1L)");
            case SUM -> old + " + " + (isNull == null ? value :
                "(" + isNull + " ? " + JavaTypes.zero(argumentType(index)) + " : " + value + ")");
            case MIN, MAX ->
            {
                final String unseen = "(had & " + seenBits[index] + ") == 0";
                final String chosen = unseen + " ? " + value + " : " + better(index, old, value);
                yield present == null ? chosen : present + " ? (" + chosen + ") : " + old;
            }
            case AVG -> throw new IllegalStateException("averages are compensated, please report this");
        };
    }

    private String better(final int index, final String old, final String value)
    {
        final boolean min = function(index) == Operator.AggregateFunction.MIN;
        if (argumentType(index) == CqlType.CHAR)
        {
            return '(' + context.strings() + ".compare(" + value + ", " + old + ") " + (min ? "<" : ">") +
                " 0 ? " + value + " : " + old + ")";
        }
        final boolean floating = argumentType(index) == CqlType.DOUBLE || argumentType(index) == CqlType.FLOAT;
        final String method = !min ? "Math.max" : floating ? "Comparisons.least" : "Math.min";
        return method + '(' + old + ", " + value + ')';
    }

    void writeStore(final JavaText body, final MethodScope scope, final String slot, final boolean exact)
    {
        if (flagged)
        {
            body.open("if (has != had)");
            body.line(arrays.array(scope, flags, exact) + '[' + slot + "] = " +
                (flagsElement.equals("byte") ? "(byte) has" : "has") + ';');
            body.close();
        }
        for (int i = 0; i < seenBits.length; i++)
        {
            final String to = arrays.array(scope, array(i), exact);
            if (isCompensated(i))
            {
                body.line(to + '[' + slot + " * 2] = s" + i + "New;");
                body.line(to + '[' + slot + " * 2 + 1] = comp" + i + "New;");
            }
            else
            {
                if (isHeld(i))
                {
                    body.line(context.strings() + ".hold(w" + i + "New);");
                    body.line(context.strings() + ".release(w" + i + ");");
                }
                body.line(to + '[' + slot + "] = w" + i + "New;");
            }
            if (function(i) == Operator.AggregateFunction.AVG)
            {
                body.line(arrays.array(scope, counts(i), exact) + '[' + slot + "] = q" + i + "New;");
            }
        }
    }

    /** Types and names of all locals with the state before and after, always in the same order. */
    List<String> locals()
    {
        final List<String> locals = new ArrayList<>();
        if (flagged)
        {
            locals.add("int had");
            locals.add("int has");
        }
        for (int i = 0; i < seenBits.length; i++)
        {
            for (final String suffix : List.of("", "New"))
            {
                if (isCompensated(i))
                {
                    locals.add("double s" + i + suffix);
                    locals.add("double comp" + i + suffix);
                }
                else
                {
                    locals.add(element(i) + " w" + i + suffix);
                }
                if (function(i) == Operator.AggregateFunction.AVG)
                {
                    locals.add("long q" + i + suffix);
                }
            }
        }
        return locals;
    }

    /** Condition that the group existed before the row; only when flags are stored. */
    String oldExists()
    {
        return "(had & 1) != 0";
    }

    /** Values before the row; without keys, a group that no row has reached yet has nulls. */
    LeafResolver oldLeaves(final List<KeySlots.Key> keys)
    {
        return leaves(keys, "", "had");
    }

    /** Values after the row. */
    LeafResolver newLeaves(final List<KeySlots.Key> keys)
    {
        return leaves(keys, "New", "has");
    }

    private LeafResolver leaves(final List<KeySlots.Key> keys, final String suffix, final String flagsLocal)
    {
        return new LeafResolver()
        {
            @Override
            public String value(final Expression leaf)
            {
                if (leaf instanceof Expression.KeyValue key)
                {
                    return keys.get(key.key()).value();
                }
                return result(((Expression.AggregateValue)leaf).aggregate(), suffix);
            }

            @Override
            public String nullFlag(final Expression leaf)
            {
                if (leaf instanceof Expression.KeyValue key)
                {
                    return keys.get(key.key()).isNull();
                }
                final int index = ((Expression.AggregateValue)leaf).aggregate();
                if (!suffix.isEmpty() && seenNow[index])
                {
                    return null;
                }
                if (function(index) == Operator.AggregateFunction.AVG)
                {
                    return "q" + index + suffix + " == 0L";
                }
                return seenBits[index] == 0 ? null : "(" + flagsLocal + " & " + seenBits[index] + ") == 0";
            }
        };
    }

    private String result(final int index, final String suffix)
    {
        final CqlType type = aggregate.aggregates().get(index).type();
        if (isCompensated(index))
        {
            final String sum = "sum(s" + index + suffix + ", comp" + index + suffix + ')';
            final String value = function(index) == Operator.AggregateFunction.AVG ?
                sum + " / q" + index + suffix : sum;
            return type == CqlType.DOUBLE ? value : "(" + JavaTypes.local(type) + ") (" + value + ")";
        }
        final String held = "w" + index + suffix;
        final boolean same = element(index).equals(JavaTypes.element(type));
        return same ? held : "(" + JavaTypes.local(type) + ") " + held;
    }
}
