package dev.millrace.cql.compiler.generator;

import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.emit.ClassContext;
import dev.millrace.cql.compiler.emit.ColumnRef;
import dev.millrace.cql.compiler.emit.ExpressionEmitter;
import dev.millrace.cql.compiler.emit.JavaText;
import dev.millrace.cql.compiler.emit.JavaTypes;
import dev.millrace.cql.compiler.emit.LeafResolver;
import dev.millrace.cql.compiler.emit.MethodScope;
import dev.millrace.cql.compiler.emit.PlanNode;
import dev.millrace.cql.compiler.emit.RowSelection;
import dev.millrace.cql.compiler.emit.SlotArrays;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * History of a fixed pattern: the earlier rows of a partition, only the columns that are read, each as far back as it
 * is read, newest first. Arrays are indexed by slot times depth.
 *
 * <p>A pattern of two rows whose first condition is always true needs only the last value when its second condition
 * cannot hold for NaN: NaN then represents both "no previous row" and null.
 */
final class PatternHistory
{
    private static final int LONG_SHIFT = 8;

    private final ClassContext context;
    private final SlotArrays arrays;
    private final PlanNode node;
    private final Operator.FixedPattern pattern;
    /** Greatest offset that is read, by column. */
    private final Map<Integer, Integer> depths = new TreeMap<>();
    /** Columns where NaN represents "no row" or null. */
    private final TreeSet<Integer> nanCoded = new TreeSet<>();
    /** Columns with null flags, and those whose nulls are counted because only the exact methods test them. */
    private final TreeSet<Integer> flagged = new TreeSet<>();
    private final TreeSet<Integer> nullableInFast = new TreeSet<>();
    /** Char columns: their strings are retained while a row of the history has them. */
    private final List<Integer> held = new ArrayList<>();
    private int countedRows;

    PatternHistory(final ClassContext context, final PlanNode node, final SlotArrays arrays,
        final List<Expression> measures)
    {
        this.context = context;
        this.arrays = arrays;
        this.node = node;
        pattern = (Operator.FixedPattern)node.operator;
        final int last = pattern.conditions().size() - 1;
        for (int j = 0; j <= last; j++)
        {
            note(pattern.conditions().get(j), j);
        }
        measures.forEach(measure -> note(measure, last));
        if (last == 1 && pattern.conditions().get(0) == null && countedRows == 0 &&
            !mayFail(pattern.conditions().get(1)))
        {
            depths.keySet().stream().filter(column -> rejectsNan(pattern.conditions().get(1), column))
                .forEach(nanCoded::add);
        }
        depths.forEach((column, depth) ->
        {
            final String array = "h" + node.number + '_' + column;
            final String element = JavaTypes.element(type(column));
            if (type(column) == CqlType.CHAR)
            {
                arrays.addCodes(array, depth);
                return;
            }
            arrays.add(array, element, depth, !nanCoded.contains(column) ? null :
                type(column) == CqlType.FLOAT ? "Float.NaN" : "Double.NaN");
        });
        if (countedRows > 0)
        {
            arrays.add("rows" + node.number, "byte", 1, null);
        }
        depths.keySet().stream().filter(column -> type(column) == CqlType.CHAR).forEach(held::add);
    }

    /** Retains the strings of row {@code i} before any state changes. */
    void writeTake(final JavaText body, final MethodScope scope, final RowSelection input, final String leave)
    {
        for (final int column : held)
        {
            final int source = node.sourceColumns[column];
            body.line("final int text" + column + " = " + (source < 0 ? input.columns().get(column).value(scope, "i") :
                context.column(source) + ".code(i)") + ';');
            if (source >= 0)
            {
                body.open("if (text" + column + " < 0)");
                body.line("rejectFull(" + context.text("no room for another string in " + node.describe()) + ");");
                body.line(leave);
                body.close();
            }
        }
    }

    private void note(final Expression expression, final int guaranteed)
    {
        PlanNode.walk(expression, each ->
        {
            if (each instanceof Expression.PriorColumn prior && prior.offset() > 0)
            {
                if (prior.offset() > Byte.MAX_VALUE)
                {
                    throw ClassContext.unsupported(node, "a row " + prior.offset() + " rows back",
                        "look back at most " + Byte.MAX_VALUE + " rows");
                }
                depths.merge(prior.column(), prior.offset(), Math::max);
                countedRows = prior.offset() > guaranteed ? Math.max(countedRows, prior.offset()) : countedRows;
            }
        });
    }

    private CqlType type(final int column)
    {
        return node.inputTypes.get(column);
    }

    /** Whether there is no other state that marks the existence of a previous row. */
    boolean isNanCoded()
    {
        return !nanCoded.isEmpty();
    }

    /** Whether computing an expression may fail: it has a division that is not of floating-point numbers. */
    static boolean mayFail(final Expression expression)
    {
        final boolean[] found = new boolean[1];
        PlanNode.walk(expression, each -> found[0] |= each instanceof Expression.Call call &&
            call.operation() == Operation.DIVIDE && call.type() != CqlType.DOUBLE && call.type() != CqlType.FLOAT);
        return found[0];
    }

    /** Whether a condition cannot be true while a floating-point column of the previous row is NaN or null. */
    private boolean rejectsNan(final Expression expression, final int column)
    {
        if (!(expression instanceof Expression.Call call))
        {
            return false;
        }
        return switch (call.operation())
        {
            case AND -> call.arguments().stream().anyMatch(each -> rejectsNan(each, column));
            case OR -> call.arguments().stream().allMatch(each -> rejectsNan(each, column));
            case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL, EQUAL ->
                call.arguments().stream().anyMatch(each -> isNanWith(each, column));
            default -> false;
        };
    }

    /** Whether a number is NaN whenever the column of the previous row is. */
    private boolean isNanWith(final Expression expression, final int column)
    {
        if (expression.type() != CqlType.DOUBLE && expression.type() != CqlType.FLOAT)
        {
            return false;
        }
        if (expression instanceof Expression.PriorColumn prior)
        {
            return prior.offset() == 1 && prior.column() == column;
        }
        return expression instanceof Expression.Call call && switch (call.operation())
        {
            case ADD, SUBTRACT, MULTIPLY, DIVIDE, NEGATE, CONVERT ->
                call.arguments().stream().anyMatch(each -> isNanWith(each, column));
            default -> false;
        };
    }

    private String index(final int column, final int offset, final String slot)
    {
        final int depth = depths.get(column);
        if (depth == 1)
        {
            return slot;
        }
        return slot + " * " + depth + (offset == 1 ? "" : " + " + (offset - 1));
    }

    private String values(final MethodScope scope, final int column, final boolean exact)
    {
        return arrays.array(scope, "h" + node.number + '_' + column, exact);
    }

    private String flags(final MethodScope scope, final int column, final boolean exact)
    {
        final String name = "g" + node.number + '_' + column;
        if (flagged.add(column))
        {
            arrays.add(name, "byte", depths.get(column), null);
        }
        return arrays.array(scope, name, exact);
    }

    private String rows(final MethodScope scope, final boolean exact)
    {
        return arrays.array(scope, "rows" + node.number, exact);
    }

    /** Columns of the current row and of earlier rows in the partition of {@code slot}. */
    LeafResolver leaves(final MethodScope scope, final RowSelection input, final String slot, final boolean exact)
    {
        return new LeafResolver()
        {
            @Override
            public String value(final Expression leaf)
            {
                final Expression.PriorColumn prior = prior(leaf);
                return prior.offset() == 0 ? input.columns().get(prior.column()).value(scope, "i") :
                    JavaTypes.load(prior.type(),
                        values(scope, prior.column(), exact) + '[' + index(prior.column(), prior.offset(), slot) + ']');
            }

            @Override
            public String known(final Expression leaf)
            {
                final Expression.PriorColumn prior = prior(leaf);
                return prior.offset() == 0 ? input.columns().get(prior.column()).known(scope, "i") : value(leaf);
            }

            @Override
            public String nullFlag(final Expression leaf)
            {
                final Expression.PriorColumn prior = prior(leaf);
                if (prior.offset() == 0)
                {
                    return input.columns().get(prior.column()).nullFlag(scope, "i");
                }
                final String missing = prior.offset() > 0 && countedRows >= prior.offset() ?
                    rows(scope, exact) + '[' + slot + "] < " + prior.offset() : null;
                final String isNull = heldNull(scope, input, prior, slot, exact);
                return missing == null ? isNull : isNull == null ? missing : missing + " | " + isNull;
            }
        };
    }

    private String heldNull(final MethodScope scope, final RowSelection input, final Expression.PriorColumn prior,
        final String slot, final boolean exact)
    {
        final int column = prior.column();
        final String at = '[' + index(column, prior.offset(), slot) + ']';
        if (prior.type().storage() == ColumnStorage.TEXT)
        {
            return values(scope, column, exact) + at + " == 0";
        }
        if (prior.type().storage() == ColumnStorage.REFERENCE)
        {
            return values(scope, column, exact) + at + " == null";
        }
        final boolean tracked = input.columns().get(column).nullFlag(new MethodScope(), "i") != null;
        return tracked && !nanCoded.contains(column) ? flags(scope, column, exact) + at + " != 0" : null;
    }

    private static Expression.PriorColumn prior(final Expression leaf)
    {
        if (leaf instanceof Expression.PriorColumn prior)
        {
            return prior;
        }
        throw new IllegalArgumentException("expression has no value in a pattern, please report this plan: " + leaf);
    }

    /** The value of the current row to store in a history array: its local, or the element of the column. */
    private String held(final ExpressionEmitter kernel, final ColumnRef current, final int column,
        final MethodScope scope)
    {
        if (JavaTypes.load(current.type(), "").isEmpty())
        {
            for (final boolean nullable : new boolean[] {false, true})
            {
                final Expression value = new Expression.PriorColumn(0, column, current.type(), nullable);
                if (kernel.isKnown(value))
                {
                    return kernel.value(value);
                }
            }
        }
        return current.array(scope) + "[i]";
    }

    /** Adds the current row to the history as the newest one. */
    void writePush(final JavaText body, final ExpressionEmitter kernel, final MethodScope scope,
        final RowSelection input,
        final String slot, final boolean exact, final String match)
    {
        depths.forEach((column, depth) ->
        {
            final ColumnRef current = input.columns().get(column);
            final String array = values(scope, column, exact);
            if (held.contains(column))
            {
                final String texts = context.strings();
                body.line(texts + ".hold(text" + column + ");");
                body.line(texts + ".release(" + array + '[' + index(column, depth, slot) + "]);");
                shift(body, array, column, depth, slot);
                body.line(array + '[' + index(column, 1, slot) + "] = text" + column + ';');
                return;
            }
            shift(body, array, column, depth, slot);
            final String isNull = current.type().storage().usesNullBitmap() ? current.nullFlag(scope, "i") : null;
            String value = held(kernel, current, column, scope);
            if (nanCoded.contains(column))
            {
                final String nan = current.type() == CqlType.FLOAT ? "Float.NaN" : "Double.NaN";
                final String hide = pattern.allMatches() ? isNull :
                    isNull == null ? match : match + " | " + isNull;
                value = hide == null ? value : hide + " ? " + nan + " : " + value;
            }
            body.line(array + '[' + index(column, 1, slot) + "] = " + value + ';');
            if (isNull != null && !nanCoded.contains(column))
            {
                writePushFlag(body, scope, column, depth, slot, isNull, exact);
            }
        });
        if (countedRows > 0)
        {
            final String rows = rows(scope, exact);
            body.open("if (" + rows + '[' + slot + "] < " + countedRows + ")");
            body.line(rows + '[' + slot + "]++;");
            body.close();
        }
    }

    private void writePushFlag(final JavaText body, final MethodScope scope, final int column, final int depth,
        final String slot, final String isNull, final boolean exact)
    {
        final String flags = flags(scope, column, exact);
        final boolean counted = exact && !nullableInFast.contains(column);
        if (!exact)
        {
            nullableInFast.add(column);
        }
        if (counted)
        {
            body.line("nullsHeld" + node.number + " += (" + isNull + " ? 1 : 0) - " + flags + '[' +
                index(column, depth, slot) + "];");
        }
        shift(body, flags, column, depth, slot);
        body.line(flags + '[' + index(column, 1, slot) + "] = (byte) (" + isNull + " ? 1 : 0);");
    }

    private void shift(final JavaText body, final String array, final int column, final int depth, final String slot)
    {
        if (depth > LONG_SHIFT)
        {
            body.line("System.arraycopy(" + array + ", " + index(column, 1, slot) + ", " + array + ", " +
                index(column, 2, slot) + ", " + (depth - 1) + ");");
            return;
        }
        for (int offset = depth; offset > 1; offset--)
        {
            body.line(array + '[' + index(column, offset, slot) + "] = " + array + '[' +
                index(column, offset - 1, slot) + "];");
        }
    }

    /** Updates the count of nulls for a slot that is added or removed; called once the bodies are written. */
    void writeCountNulls(final JavaText body, final String operator)
    {
        for (final int column : flagged)
        {
            for (int offset = 1; !nullableInFast.contains(column) && offset <= depths.get(column); offset++)
            {
                body.line("nullsHeld" + node.number + ' ' + operator + " g" + node.number + '_' + column + '[' +
                    index(column, offset, "slot") + "];");
            }
        }
    }

    /** Whether there are null flags that only the exact methods test. */
    boolean countsNulls()
    {
        return flagged.stream().anyMatch(column -> !nullableInFast.contains(column));
    }
}
