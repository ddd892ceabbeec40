package dev.millrace.cql.compiler.generator;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.emit.ClassContext;
import dev.millrace.cql.compiler.emit.ColumnRef;
import dev.millrace.cql.compiler.emit.ExpressionEmitter;
import dev.millrace.cql.compiler.emit.JavaText;
import dev.millrace.cql.compiler.emit.KeySlots;
import dev.millrace.cql.compiler.emit.LeafResolver;
import dev.millrace.cql.compiler.emit.MethodScope;
import dev.millrace.cql.compiler.emit.PlanNode;
import dev.millrace.cql.compiler.emit.RowSelection;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Pattern of a start and a later row that reaches a value of the start. Starts wait in
 * {@link dev.millrace.cql.runtime.SequenceStarts}, by partition; its smallest key shows whether a row reaches
 * any.
 *
 * <pre>
 *   row ──► reaches the smallest key? remove the starts, emit a match for each ──► is a start? wait
 * </pre>
 */
public final class SequenceStage extends OperatorGenerator
{
    private static final int MAX_STARTS = 10_000;

    private final Operator.SequencePattern pattern;
    private final KeySlots slots;
    private final GroupChange change;
    private final String starts;
    private final int counter;
    /** Columns of a start that matches read, in the order of their words after the time. */
    private final List<Integer> kept;
    /** Those of {@link #kept} that may be null. */
    private final List<Integer> flagged = new ArrayList<>();
    /** Char columns of a start, whose strings it retains. */
    private final List<Integer> texts;
    private final boolean isFloating;
    private final boolean isFalling;
    private final boolean isStrict;

    public SequenceStage(final ClassContext context, final PlanNode node, final List<OutputStage> outputs)
    {
        super(context, node);
        pattern = (Operator.SequencePattern)node.operator;
        starts = "starts" + node.number;
        final CqlType type = pattern.value().type();
        isFloating = type == CqlType.DOUBLE || type == CqlType.FLOAT;
        isFalling = pattern.comparison() == Operation.LESS || pattern.comparison() == Operation.LESS_OR_EQUAL;
        isStrict = pattern.comparison() == Operation.LESS || pattern.comparison() == Operation.GREATER;
        context.fields().line("/* Partitions and waiting starts of " + name + ". */");
        slots = new KeySlots(context, node, node.inputColumns(pattern.partitionBy()), name + ".partitions");
        counter = context.state(name + ".rows");
        change = new GroupChange(node, pattern.condition(), List.of(), pattern.fields(), outputs);
        final TreeSet<Integer> read = new TreeSet<>();
        PlanNode.walk(pattern.condition(), each -> collectKept(each, read));
        pattern.fields().forEach(field -> PlanNode.walk(field.expression(), each -> collectKept(each, read)));
        kept = List.copyOf(read);
        for (final int column : kept)
        {
            if (!type(column).equals(CqlType.CHAR) && !isNullWith(pattern.bound(), column))
            {
                flagged.add(column);
            }
        }
        texts = kept.stream().filter(column -> type(column) == CqlType.CHAR).toList();
        context.field("final SequenceStarts " + starts);
        context.constructor().line(starts + " = new SequenceStarts(" + words() + ", " + MAX_STARTS + ", " +
            (pattern.between() != Operator.Between.ANY) + ", memory, " +
            (texts.isEmpty() ? "null, new int[0]" : context.strings() + ", new int[] {" + textWords() + '}') + ");");
        if (slots.isCode())
        {
            context.keep(starts + ".isWaiting(code)");
        }
    }

    /** Indexes of the words of a start that are strings. */
    private String textWords()
    {
        return texts.stream().map(column -> Integer.toString(1 + kept.indexOf(column)))
            .collect(Collectors.joining(", "));
    }

    private static void collectKept(final Expression expression, final TreeSet<Integer> read)
    {
        if (expression instanceof Expression.PriorColumn prior && prior.offset() == 1)
        {
            read.add(prior.column());
        }
    }

    /** Whether a value is null whenever a column is: a start without it never waits. */
    private static boolean isNullWith(final Expression expression, final int column)
    {
        if (expression instanceof Expression.Column read)
        {
            return read.column() == column;
        }
        return expression instanceof Expression.Call call && switch (call.operation())
        {
            case ADD, SUBTRACT, MULTIPLY, DIVIDE, NEGATE, CONVERT ->
                call.arguments().stream().anyMatch(each -> isNullWith(each, column));
            default -> false;
        };
    }

    private CqlType type(final int column)
    {
        return node.inputTypes.get(column);
    }

    /** Words of a start: time, values and null flags. */
    private int words()
    {
        return 1 + kept.size() + (flagged.isEmpty() ? 0 : 1);
    }

    @Override
    public int repeatedColumn(final Expression expression)
    {
        return -1;
    }

    @Override
    public void writeReserve(final JavaText body)
    {
        slots.writeSize(body);
        slots.writeReserve(body);
        body.line("stateSize(" + counter + ", " + starts + ".size());");
    }

    @Override
    public void writeRest(final JavaText methods)
    {
        slots.writeGrow(methods, List.of(starts + ".reserve(length);"));
        slots.writeShared(methods);
    }

    @Override
    public void writeForget(final JavaText body)
    {
        slots.openForget(body, starts + ".isWaiting(slot)");
        body.line(starts + ".clear(slot);");
        slots.closeForget(body);
    }

    @Override
    public boolean writeState(final JavaText save, final JavaText load)
    {
        slots.openSave(save, starts + ".isWaiting(slot)");
        save.line(starts + ".write(slot, to);");
        KeySlots.closeSave(save);
        slots.openLoad(load, false);
        load.open("if (slot >= capacity" + node.number + ")");
        load.line("grow" + node.number + "(slot + 1);");
        load.close();
        slots.writeNew(load, "!" + starts + ".isWaiting(slot)");
        load.line(starts + ".read(slot, from);");
        load.close();
        return true;
    }

    @Override
    public Batch writeBatch(final JavaText methods, final RowSelection input, final boolean exact)
    {
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        openLoop(body, scope, input.selection(), "n");
        writeRowBody(body, scope, input, "continue;");
        body.close();
        return batchMethod(methods, "Sequence over a batch.", scope, body, exact);
    }

    @Override
    public RowSelection writeRow(final JavaText methods, final RowSelection input, final boolean exact)
    {
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        writeRowBody(body, scope, input, "return;");
        rowMethod(methods, "Sequence over a row.", scope, body, exact);
        return null;
    }

    private void writeRowBody(final JavaText body, final MethodScope scope, final RowSelection input,
        final String leave)
    {
        scope.local(starts, "SequenceStarts", "this." + starts);
        final ExpressionEmitter row = new ExpressionEmitter(context, node, scope,
            LeafResolver.columns(scope, input, "i"), body);
        final List<KeySlots.Key> keys = new ArrayList<>();
        for (final int column : pattern.partitionBy())
        {
            keys.add(AggregateStage.key(row, new Expression.Column(column, type(column), true)));
        }
        final String slot = slots.slot(body, scope, keys, leave);
        body.line("final long t = in.timestampNs(i);");
        body.line("final long after = " + after() + ';');
        final String value = row.value(pattern.value());
        final String isNull = row.nullFlag(pattern.value());
        final boolean isOnce = pattern.between() != Operator.Between.ANY;
        String ends = isOnce ? isNull : null;
        if (pattern.between() == Operator.Between.NOT_LAST_NOR_NAN)
        {
            ends = GroupChange.either(ends, value + " != " + value);
        }
        if (ends != null)
        {
            body.open("if (" + ends + ")");
            body.line(starts + ".clear(" + slot + ");");
            body.close();
        }
        writeMatches(body, scope, input, slot, reached(row, value, isNull));
        writeStart(body, scope, input, row, slot);
        if (slots.isCode())
        {
            // A partition in which no start waits has no state; its string may be released after the batch.
            body.open("if (block[0] == Long.MAX_VALUE)");
            body.line(context.strings() + ".offer(" + slot + ");");
            body.close();
        }
    }

    private String after()
    {
        final Operator.Within within = pattern.within();
        if (within.ns() == 0)
        {
            return "Long.MIN_VALUE";
        }
        final long ns = within.inclusive() ? within.ns() + 1 : within.ns();
        return "t < " + (Long.MIN_VALUE + ns + 1) + "L ? Long.MIN_VALUE : t - " + ns + 'L';
    }

    /**
     * Writes locals {@code reach} and, unless it is plain, {@code reaches}; returns the condition for searching starts.
     */
    private String reached(final ExpressionEmitter row, final String value, final String isNull)
    {
        final String key = key(value);
        final String reach = row.local("long", "reach", key);
        final List<String> conditions = new ArrayList<>();
        conditions.add("block[0] " + (isStrict ? "< " : "<= ") + reach);
        if (isFloating)
        {
            conditions.add(value + " == " + value);
        }
        if (isNull != null)
        {
            conditions.add("!" + isNull);
        }
        return String.join(" && ", conditions) + "\n" + reach;
    }

    private String key(final String value)
    {
        final String key = isFloating ? "SequenceStarts.key(" + value + ')' : value;
        return isFalling ? "~(long) " + key : key;
    }

    private void writeMatches(final JavaText body, final MethodScope scope, final RowSelection input, final String slot,
        final String condition)
    {
        final String[] parts = condition.split("\n");
        body.line("final long[] block = " + starts + ".block(" + slot + ");");
        body.open("if (" + parts[0] + ")");
        body.line("final int hits = " + starts + ".take(block, " + parts[1] + (isStrict ? " - 1L" : "") + ", after);");
        body.line("final long[] found = " + starts + ".found();");
        body.open("for (int h = 0, at = 0; h < hits; h++, at += " + words() + ")");
        final ExpressionEmitter match = new ExpressionEmitter(context, node, scope, leaves(scope, input), body);
        final String shown = change.shown(match);
        if (!shown.equals("true"))
        {
            body.open("if (" + shown + ")");
        }
        match.within(() -> change.writeOut(body, scope, match, true, null, "i"));
        if (!shown.equals("true"))
        {
            body.close();
        }
        body.close();
        body.close();
    }

    private void writeStart(final JavaText body, final MethodScope scope, final RowSelection input,
        final ExpressionEmitter row,
        final String slot)
    {
        final String bound = row.value(pattern.bound());
        final String isNull = row.nullFlag(pattern.bound());
        final List<String> conditions = new ArrayList<>();
        if (pattern.start() != null)
        {
            conditions.add(row.value(pattern.start()));
        }
        if (isNull != null)
        {
            conditions.add("!" + isNull);
        }
        if (isFloating)
        {
            conditions.add(bound + " == " + bound);
        }
        if (!conditions.isEmpty())
        {
            body.open("if (" + String.join(" & ", conditions) + ")");
        }
        final StringBuilder lacking = new StringBuilder();
        for (final int column : texts)
        {
            final int source = node.sourceColumns[column];
            body.line("final int text" + column + " = " + (source < 0 ? input.columns().get(column).value(scope, "i") :
                context.column(source) + ".code(i)") + ';');
            lacking.append(lacking.length() == 0 ? "" : " | ").append("text").append(column).append(" < 0");
        }
        body.line("final int at = " + (lacking.length() == 0 ? "" : lacking + " ? -1 : ") + starts + ".add(" + slot +
            ", " + key(bound) + ", t, after);");
        body.open("if (at < 0)");
        body.line("rejectFull(" + context.text("more starts of one partition than may wait, " +
            "maxStarts=" + MAX_STARTS + " in " + node.describe()) + ");");
        body.close();
        if (words() > 1)
        {
            body.open("else");
            writeKept(body, scope, input);
            body.close();
        }
        if (!conditions.isEmpty())
        {
            body.close();
        }
    }

    private void writeKept(final JavaText body, final MethodScope scope, final RowSelection input)
    {
        body.line("final long[] to = " + starts + ".current();");
        for (int i = 0; i < kept.size(); i++)
        {
            final ColumnRef column = input.columns().get(kept.get(i));
            if (texts.contains(kept.get(i)))
            {
                body.line(context.strings() + ".hold(text" + kept.get(i) + ");");
                body.line("to[at + " + (1 + i) + "] = text" + kept.get(i) + ';');
                continue;
            }
            final String element = column.array(scope) + "[i]";
            body.line("to[at + " + (1 + i) + "] = " + switch (column.type().storage())
            {
                case FLOAT64 -> "Double.doubleToRawLongBits(" + element + ')';
                case FLOAT32 -> "Float.floatToRawIntBits(" + element + ')';
                default -> element;
            } + ';');
        }
        if (!flagged.isEmpty())
        {
            final StringBuilder mask = new StringBuilder("0L");
            for (int i = 0; i < flagged.size(); i++)
            {
                final String isNull = input.columns().get(flagged.get(i)).nullFlag(scope, "i");
                if (isNull != null)
                {
                    mask.append(" | (").append(isNull).append(" ? ").append(1L << i).append("L : 0L)");
                }
            }
            body.line("to[at + " + (1 + kept.size()) + "] = " + mask + ';');
        }
    }

    /** Columns of the current row and of a start that was found. */
    private LeafResolver leaves(final MethodScope scope, final RowSelection input)
    {
        return new LeafResolver()
        {
            @Override
            public String value(final Expression leaf)
            {
                final Expression.PriorColumn prior = (Expression.PriorColumn)leaf;
                if (prior.offset() == 0)
                {
                    return input.columns().get(prior.column()).value(scope, "i");
                }
                final String word = "found[at + " + (1 + kept.indexOf(prior.column())) + ']';
                return switch (prior.type().storage())
                {
                    case FLOAT64 -> "Double.longBitsToDouble(" + word + ')';
                    case FLOAT32 -> "Float.intBitsToFloat((int) " + word + ')';
                    case INT32, TEXT -> "(int) " + word;
                    case BIT -> word + " != 0L";
                    default -> word;
                };
            }

            @Override
            public String texts(final Expression leaf)
            {
                final Expression.PriorColumn prior = (Expression.PriorColumn)leaf;
                return prior.offset() == 0 ? input.columns().get(prior.column()).texts() : null;
            }

            @Override
            public String known(final Expression leaf)
            {
                final Expression.PriorColumn prior = (Expression.PriorColumn)leaf;
                return prior.offset() == 0 ? input.columns().get(prior.column()).known(scope, "i") : value(leaf);
            }

            @Override
            public String nullFlag(final Expression leaf)
            {
                final Expression.PriorColumn prior = (Expression.PriorColumn)leaf;
                if (prior.offset() == 0)
                {
                    return input.columns().get(prior.column()).nullFlag(scope, "i");
                }
                if (prior.type() == CqlType.CHAR)
                {
                    return "found[at + " + (1 + kept.indexOf(prior.column())) + "] == 0L";
                }
                final int flag = flagged.indexOf(prior.column());
                return flag < 0 ? null : "(found[at + " + (1 + kept.size()) + "] & " + (1L << flag) + "L) != 0L";
            }
        };
    }
}
