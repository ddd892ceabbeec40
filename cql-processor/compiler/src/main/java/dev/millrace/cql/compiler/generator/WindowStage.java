package dev.millrace.cql.compiler.generator;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.emit.ClassContext;
import dev.millrace.cql.compiler.emit.ExpressionEmitter;
import dev.millrace.cql.compiler.emit.JavaText;
import dev.millrace.cql.compiler.emit.JavaTypes;
import dev.millrace.cql.compiler.emit.KeySlots;
import dev.millrace.cql.compiler.emit.LeafResolver;
import dev.millrace.cql.compiler.emit.MethodScope;
import dev.millrace.cql.compiler.emit.PlanNode;
import dev.millrace.cql.compiler.emit.RowSelection;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Expression;
import java.util.ArrayList;
import java.util.List;

/**
 * Incremental aggregation of the latest rows of a stream. Rows are stored in a ring in order of arrival: time, slot of
 * their group and the values that sums need. An arriving row first removes all expired rows, each at its own time; rows
 * that expire exactly at the time of the row belong to the same instant.
 *
 * <pre>
 *   row ──► pass: rows that expire earlier leave, one by one ──► arrive: group before and after ──► emit the change
 *                                                           └──► replace: one leaves its group as the row enters it
 * </pre>
 */
public final class WindowStage extends OperatorGenerator
{
    static final int MAX_ROWS = 1 << 30;
    private static final String ROWS = ".rows";
    private static final String GROUPS = ".groups";

    private final Operator.WindowAggregate aggregate;
    private final KeySlots slots;
    private final WindowState state;
    private final WindowRowLayout kept;
    private final GroupChange change;
    private final boolean byTime;
    private final boolean numbered;
    /** Whether groups are string codes, which are retained while rows have them. */
    private final boolean reclaimed;
    private final CqlType keyType;
    private final String ring;
    private final String due;
    private final String keys;
    private final int rowCounter;

    public WindowStage(final ClassContext context, final PlanNode node, final List<OutputStage> outputs)
    {
        super(context, node);
        aggregate = (Operator.WindowAggregate)node.operator;
        byTime = aggregate.window().rangeNs() > 0;
        keyType = aggregate.keys().isEmpty() ? null : aggregate.keys().get(0).type();
        numbered = keyType != null && keyType != CqlType.CHAR;
        ring = "ring" + node.number;
        due = "due" + node.number;
        keys = "keys" + node.number;
        context.fields().line("/* Window and groups of " + name + ". */");
        reclaimed = keyType == CqlType.CHAR;
        slots = new KeySlots(context, node, aggregate.keys(), name + GROUPS);
        rowCounter = context.state(name + ROWS);
        state = new WindowState(context, node, aggregate);
        if (reclaimed)
        {
            context.field("int size" + node.number);
            context.keep(state.hasRows("code"));
        }
        kept = new WindowRowLayout(state.arguments());
        change = new GroupChange(node, aggregate.having(), aggregate.aggregates(), aggregate.fields(), outputs);
        context.field("final RowRing " + ring + " = new RowRing(" + (1 + kept.words()) + ", " + MAX_ROWS +
            ", memory)");
        if (byTime)
        {
            context.field("long " + due + " = Long.MAX_VALUE");
        }
        if (numbered)
        {
            context.field("long[][] " + keys + " = new long[0][]");
            context.field("int nullSlot" + node.number + " = -1");
        }
        if (keyType == null)
        {
            context.field("boolean started" + node.number);
        }
    }

    @Override
    public int repeatedColumn(final Expression expression)
    {
        return -1;
    }

    @Override
    public void writeReserve(final JavaText body)
    {
        if (reclaimed)
        {
            slots.writeSize(body, "size" + node.number);
        }
        else
        {
            slots.writeSize(body);
        }
        slots.writeReserve(body);
        if (keyType == null)
        {
            body.open("if (!started" + node.number + ")");
            body.line("started" + node.number + " = true;");
            body.line("start" + node.number + "(in);");
            body.close();
        }
    }

    @Override
    public void writeTime(final JavaText body, final String time)
    {
        if (byTime)
        {
            body.open("while (" + due + " <= " + time + ")");
            body.line("leave" + node.number + "(in, " + due + ");");
            body.close();
        }
        body.line("stateSize(" + rowCounter + ", " + ring + ".size());");
    }

    @Override
    public void writeRest(final JavaText methods)
    {
        final List<String> grow = new ArrayList<>(state.growLines());
        if (numbered)
        {
            grow.add(keys + " = SlotChunks.longs(" + keys + ", room, 1, memory);");
        }
        slots.writeGrow(methods, grow);
        slots.writeShared(methods);
        writeLeave(methods);
        if (byTime)
        {
            writePass(methods);
            writeDue(methods);
        }
        if (keyType == null)
        {
            writeStart(methods);
        }
    }

    @Override
    public void writeForget(final JavaText body)
    {
        body.line("which.check(" + !byTime + ", " + context.text(node.describe()) + ");");
        body.line("final int[] numbers = new int[capacity" + node.number + "];");
        slots.openForget(body, keyType == null ? null : state.hasRows("slot"));
        body.line("numbers[slot] = -1;");
        state.writeClear(body);
        if (reclaimed)
        {
            body.line("size" + node.number + "--;");
        }
        slots.closeForget(body);
        body.line("WindowRowCodec.forget(" + ring + ", numbers);");
        if (byTime)
        {
            body.line("next" + node.number + "();");
        }
    }

    @Override
    public boolean writeState(final JavaText save, final JavaText load)
    {
        save.line("which.check(" + !byTime + ", " + context.text(node.describe()) + ");");
        save.line("final int[] numbers = new int[capacity" + node.number + "];");
        save.line("java.util.Arrays.fill(numbers, -1);");
        save.line("int groups = 0;");
        slots.openSave(save, keyType == null ? null : state.hasRows("slot"));
        save.line("numbers[slot] = groups++;");
        state.writeSave(save);
        KeySlots.closeSave(save);
        writeLoad(load);
        if (keyType == null)
        {
            save.line("to.writeBoolean(started" + node.number + ");");
            load.line("started" + node.number + " |= from.readBoolean();");
        }
        save.line("WindowRowCodec.write(" + ring + ", numbers, to);");
        if (!byTime)
        {
            load.line("checkNew(0, " + ring + ".size() == 0, " + context.text(node.describe()) + ");");
        }
        load.line("WindowRowCodec.read(" + ring + ", slotOfGroup, groups, from);");
        if (byTime)
        {
            load.line("next" + node.number + "();");
        }
        return true;
    }

    private void writeLoad(final JavaText load)
    {
        load.line("int[] slotOfGroup = new int[SlotChunks.SLOTS];");
        load.line("int groups = 0;");
        slots.openLoad(load, false);
        load.open("if (slot >= capacity" + node.number + ")");
        load.line("grow" + node.number + "(slot + 1);");
        load.close();
        slots.writeNew(load, state.isClear());
        load.open("if (groups == slotOfGroup.length)");
        load.line("slotOfGroup = java.util.Arrays.copyOf(slotOfGroup, groups * 2);");
        load.close();
        load.line("slotOfGroup[groups++] = slot;");
        state.writeLoad(load);
        if (reclaimed)
        {
            load.line("size" + node.number + "++;");
        }
        else if (numbered)
        {
            load.open("if (next == 2)");
            load.line("nullSlot" + node.number + " = slot;");
            load.close();
            load.line(keyOfSlot() + " = key;");
        }
        load.close();
    }

    private void writeStart(final JavaText methods)
    {
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        state.writeLoad(body, "0");
        final ExpressionEmitter kernel = new ExpressionEmitter(context, node, scope, state.leaves("0", null, ""), body);
        body.open("if (" + change.shown(kernel) + ")");
        kernel.within(() -> change.writeOut(body, scope, kernel, true, "Long.MIN_VALUE", null));
        body.close();
        method(methods, "The only group has a row from the beginning of time.", "private void start" + node.number +
            "(final EventBatch in)", scope, body);
    }

    private void writePass(final JavaText methods)
    {
        final JavaText body = new JavaText(2);
        body.open("while (" + due + " < t)");
        body.line("leave" + node.number + "(in, " + due + ");");
        body.close();
        method(methods, "Removes the rows that expire before t.", "private void pass" + node.number +
            "(final EventBatch in, final long t)", new MethodScope(), body);
    }

    private void writeDue(final JavaText methods)
    {
        final JavaText body = new JavaText(2);
        body.open("if (" + ring + ".size() == 0)");
        body.line(due + " = Long.MAX_VALUE;");
        body.line("return;");
        body.close();
        final String range = context.number(aggregate.window().rangeNs(), CqlType.BIGINT);
        body.line("final long from = " + ring + ".head()[" + ring + ".headAt()];");
        body.line(due + " = from > Long.MAX_VALUE - " + range + " ? Long.MAX_VALUE : from + " + range + ';');
        method(methods, "When the oldest row leaves.", "private void next" + node.number + "()", new MethodScope(),
            body);
    }

    /** Loads the oldest row's slot and values into locals. */
    private List<ArgumentValue> writeOldest(final JavaText body, final boolean withSlot)
    {
        body.line("final long[] old = " + ring + ".head();");
        body.line("final int oldAt = " + ring + ".headAt();");
        final List<ArgumentValue> values = kept.writeRead(body, "old", "oldAt + 1");
        if (withSlot)
        {
            body.line("final int slot = (int) mark;");
        }
        return values;
    }

    private void writeRemove(final JavaText body)
    {
        body.line(ring + ".remove();");
        if (byTime)
        {
            body.line("next" + node.number + "();");
        }
    }

    private void writeLeave(final JavaText methods)
    {
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        final List<ArgumentValue> values = writeOldest(body, true);
        state.writeLoad(body, "slot");
        state.writeStep(body, "slot", "", "New", false, "1L", values);
        state.writeStore(body, "New");
        final KeySlots.Key key = storedKey(body);
        writeRemove(body);
        writeChange(body, scope, key, "New", "t", null);
        if (numbered)
        {
            body.open("if (rNew == 0L & slot != nullSlot" + node.number + ")");
            body.line("slots" + node.number + ".remove(" + keyOfSlot() + ");");
            body.close();
        }
        else if (reclaimed)
        {
            body.open("if (rNew == 0L)");
            body.line(state.checkClear());
            body.line("size" + node.number + "--;");
            body.line(context.strings() + ".offer(slot);");
            body.close();
        }
        method(methods, "The oldest row leaves at time t.", "private void leave" + node.number +
            "(final EventBatch in, final long t)", scope, body);
    }

    /** The stored key of a group, for changes without a current row. */
    private KeySlots.Key storedKey(final JavaText body)
    {
        if (keyType == null)
        {
            return null;
        }
        if (!numbered)
        {
            return new KeySlots.Key(keyType, "slot", "slot == 0");
        }
        final String type = JavaTypes.local(keyType);
        body.line("final " + type + " key = " + (type.equals("long") ? "" : "(" + type + ") ") + keyOfSlot() + ';');
        return new KeySlots.Key(keyType, "key", "slot == nullSlot" + node.number);
    }

    private void writeChange(final JavaText body, final MethodScope scope, final KeySlots.Key key, final String suffix,
        final String time, final String row)
    {
        final ExpressionEmitter before = new ExpressionEmitter(context, node, scope, state.leaves("slot", key, ""),
            body);
        final ExpressionEmitter after = new ExpressionEmitter(context, node, scope, state.leaves("slot", key, suffix),
            body);
        change.write(body, scope, before, after, exists("r", before), exists("r" + suffix, after), time, row);
    }

    private String exists(final String rows, final ExpressionEmitter kernel)
    {
        final String shown = change.shown(kernel);
        return keyType == null ? shown : rows + " != 0L" + (shown.equals("true") ? "" : " & " + shown);
    }

    @Override
    public Batch writeBatch(final JavaText methods, final RowSelection input, final boolean exact)
    {
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        openLoop(body, scope, input.selection(), "n");
        writeRowBody(methods, body, scope, input, "continue;");
        body.close();
        return batchMethod(methods, "Window of a batch.", scope, body, exact);
    }

    @Override
    public RowSelection writeRow(final JavaText methods, final RowSelection input, final boolean exact)
    {
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        writeRowBody(null, body, scope, input, "return;");
        rowMethod(methods, "Window of a row.", scope, body, exact);
        return null;
    }

    private void writeRowBody(final JavaText methods, final JavaText body, final MethodScope scope,
        final RowSelection input, final String leave)
    {
        final ExpressionEmitter row = new ExpressionEmitter(context, node, scope,
            LeafResolver.columns(scope, input, "i"), body);
        String error = null;
        for (final Expression key : aggregate.keys())
        {
            error = GroupChange.either(error, row.error(key));
        }
        final List<ArgumentValue> values = new ArrayList<>();
        for (final Expression argument : state.arguments())
        {
            error = GroupChange.either(error, row.error(argument));
            values.add(value(row, argument));
        }
        reject(body, error, leave);
        body.line("final long t = in.timestampNs(i);");
        if (byTime)
        {
            body.open("if (" + due + " < t)");
            body.line("pass" + node.number + "(in, t);");
            body.close();
        }
        body.line("final boolean full = " + (byTime ? due + " == t" :
            ring + ".size() == " + context.number(aggregate.window().rows(), CqlType.BIGINT)) + ';');
        body.open("if (!full && " + ring + ".isFull())");
        body.line("rejectFull(" + context.text("more rows than may be kept, maxRows=" + MAX_ROWS +
            " in " + node.describe()) + ");");
        body.line(leave);
        body.close();
        final List<KeySlots.Key> key = keyType == null ? List.of() :
            List.of(AggregateStage.key(row, aggregate.keys().get(0)));
        final String slot = slots.slot(body, scope, key, leave);
        if (keyType == null)
        {
            body.line("final int slot = 0;");
        }
        else if (numbered)
        {
            writeNewKey(body, key.get(0));
        }
        body.open("if (full)");
        body.open("if ((int) " + ring + ".head()[" + ring + ".headAt() + 1] == slot)");
        final String arguments = arguments(values);
        body.line("replace" + node.number + "(in, i, slot" + arguments + ");");
        body.line(leave);
        body.close();
        body.line("leave" + node.number + "(in, t);");
        body.close();
        writeArrive(body, scope, key.isEmpty() ? null : key.get(0), values);
        if (methods != null && !replaceWritten)
        {
            replaceWritten = true;
            writeReplace(methods, key.isEmpty() ? null : key.get(0));
        }
    }

    /** An argument of the current row. Strings are only counted: only whether they are null matters. */
    private static ArgumentValue value(final ExpressionEmitter row, final Expression argument)
    {
        final String texts = row.texts(argument);
        return texts != null ? ArgumentValue.of("0L", texts + ".isNull(i)") :
            ArgumentValue.of(row.value(argument), row.nullFlag(argument));
    }

    private boolean replaceWritten;

    /** Stores the key of a group, since the group may change without a row of it. */
    private void writeNewKey(final JavaText body, final KeySlots.Key key)
    {
        if (key.isNull() != null)
        {
            body.open("if (" + key.isNull() + ")");
            body.line("nullSlot" + node.number + " = slot;");
            body.close();
        }
        body.line(keyOfSlot() + " = " + key.value() + ';');
    }

    private String keyOfSlot()
    {
        return keys + "[slot >>> SlotChunks.BITS][slot & SlotChunks.MASK]";
    }

    private static String arguments(final List<ArgumentValue> values)
    {
        final StringBuilder text = new StringBuilder();
        for (final ArgumentValue value : values)
        {
            text.append(", ").append(value.code()).append(", ").append(value.isNull() == null ? "false" :
                value.isNull());
        }
        return text.toString();
    }

    private void writeArrive(final JavaText body, final MethodScope scope, final KeySlots.Key key,
        final List<ArgumentValue> values)
    {
        state.writeLoad(body, "slot");
        if (reclaimed)
        {
            body.open("if (r == 0L)");
            body.line("size" + node.number + "++;");
            body.close();
        }
        state.writeStep(body, "slot", "", "New", true, "1L", values);
        state.writeStore(body, "New");
        writeAdd(body, "t", values);
        writeChange(body, scope, key, "New", null, "i");
    }

    private void writeAdd(final JavaText body, final String time, final List<ArgumentValue> values)
    {
        body.line(ring + ".add();");
        body.line("final long[] young = " + ring + ".tail();");
        body.line("final int youngAt = " + ring + ".tailAt();");
        body.line("young[youngAt] = " + time + ';');
        kept.writeKeep(body, "young", "youngAt + 1", "slot", values);
        if (byTime)
        {
            body.open("if (" + due + " == Long.MAX_VALUE)");
            body.line("next" + node.number + "();");
            body.close();
        }
    }

    /** Writes a single change for a row that enters a group while another one leaves it. */
    private void writeReplace(final JavaText methods, final KeySlots.Key rowKey)
    {
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        body.line("final long t = in.timestampNs(i);");
        final List<ArgumentValue> leaving = writeOldest(body, false);
        final StringBuilder parameters = new StringBuilder();
        final List<ArgumentValue> entering = new ArrayList<>();
        for (int i = 0; i < state.arguments().size(); i++)
        {
            final String type = WindowRowLayout.type(state.arguments().get(i));
            parameters.append(", final ").append(type).append(" a").append(i).append(", final boolean z").append(i);
            entering.add(ArgumentValue.of("a" + i, "z" + i));
        }
        state.writeLoad(body, "slot");
        state.writeStep(body, "slot", "", "Mid", false, "1L", leaving);
        state.writeStep(body, "slot", "Mid", "New", true, "1L", entering);
        state.writeStore(body, "New");
        final KeySlots.Key key = rowKey == null ? null : storedKey(body);
        writeRemove(body);
        writeAdd(body, "t", entering);
        writeChange(body, scope, key, "New", null, "i");
        method(methods, "A row enters the group that the oldest row leaves at the same time.", "private void replace" +
            node.number + "(final EventBatch in, final int i, final int slot" + parameters + ')', scope, body);
    }
}
