package dev.millrace.cql.compiler.generator;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.emit.ClassContext;
import dev.millrace.cql.compiler.emit.ExpressionEmitter;
import dev.millrace.cql.compiler.emit.JavaText;
import dev.millrace.cql.compiler.emit.KeySlots;
import dev.millrace.cql.compiler.emit.MethodScope;
import dev.millrace.cql.compiler.emit.PlanNode;
import dev.millrace.cql.plan.Operator;
import java.util.ArrayList;
import java.util.List;

/**
 * The windows of a query template's statements. Time windows share one ring with rows in order of arrival: the window
 * of a statement does not depend on rows of others. Windows of a number of rows have a circular buffer each. Groups are
 * indexed by key index.
 *
 * <pre>
 *   period: row ──► all expired rows leave, regardless of their statement ──► the row enters its group
 *   rows:   row ──► its circular buffer: the oldest row of the statement leaves as it enters
 * </pre>
 */
final class FamilyWindow
{
    private static final String ONE = "1L";

    private final ClassContext context;
    private final PlanNode node;
    private final Operator.WindowAggregate shape;
    private final String keys;
    private final WindowState state;
    private final FamilyGroups groups;
    private final WindowRowLayout kept;
    private final boolean byTime;
    private final String ring;
    private final String due;
    private final int groupCounter;
    private final int rowCounter;

    FamilyWindow(final ClassContext context, final PlanNode node, final FamilyChange change, final String keys,
        final KeySlots.Key key)
    {
        this.context = context;
        this.node = node;
        this.keys = keys;
        shape = ((Operator.KeyedOutputs)node.operator).shape();
        byTime = shape.window().rangeNs() > 0;
        ring = "ring" + node.number;
        due = "due" + node.number;
        groupCounter = context.state(node.name() + ".groups");
        rowCounter = context.state(node.name() + ".rows");
        state = new WindowState(context, node, shape);
        groups = new FamilyGroups(context, node, state, change, key);
        kept = new WindowRowLayout(state.arguments());
        if (byTime)
        {
            context.field("final RowRing " + ring + " = new RowRing(" + words() + ", " +
                WindowStage.MAX_ROWS + ", memory)");
            context.field("long " + due + " = Long.MAX_VALUE");
        }
        else
        {
            context.field("final KeyedRows " + ring);
            context.constructor().line(ring + " = new KeyedRows(" + keys + ".size(), " + shape.window().rows() + ", " +
                kept.words() + ");");
        }
        context.constructor().line("room" + node.number + "(" + keys + ".size());");
        if (groups.isUngrouped())
        {
            context.field("boolean started" + node.number);
        }
    }

    boolean isByTime()
    {
        return byTime;
    }

    FamilyGroups groups()
    {
        return groups;
    }

    WindowRowLayout kept()
    {
        return kept;
    }

    /** The field with the rows, a shared {@code RowRing} or {@code KeyedRows}. */
    String ring()
    {
        return ring;
    }

    /** Words of a row in the shared ring: its time and its stored values. */
    int words()
    {
        return 1 + kept.words();
    }

    /** The field with the time at which the oldest row leaves. */
    String due()
    {
        return due;
    }

    void writeReserve(final JavaText body)
    {
        body.line("stateSize(" + groupCounter + ", " + keys + ".size());");
        if (groups.isUngrouped())
        {
            body.open("if (!started" + node.number + ")");
            body.line("started" + node.number + " = true;");
            body.line("start" + node.number + "(in);");
            body.close();
        }
    }

    void writeTime(final JavaText body, final String time)
    {
        if (byTime)
        {
            body.open("while (" + due + " <= " + time + ")");
            body.line("leave" + node.number + "(in, " + due + ");");
            body.close();
        }
        body.line("stateSize(" + rowCounter + ", " + ring + ".size());");
    }

    void writeRest(final JavaText methods)
    {
        KeySlots.writeShared(methods, context, node);
        final JavaText room = new JavaText(2);
        state.growLines().forEach(room::line);
        OperatorGenerator.method(methods, "Ensures capacity for the groups of all statements.",
            "private void room" + node.number +
            "(final int length)", new MethodScope(), room);
        if (byTime)
        {
            writeLeave(methods);
            writePass(methods);
            writeDue(methods);
            writeReplace(methods);
        }
        if (groups.isUngrouped())
        {
            writeStart(methods);
        }
    }

    /**
     * Writes the body of the method that discards partitions.
     *
     * @param isAmong code for "the partition of {@code slot} is discarded"
     */
    void writeForget(final JavaText body, final String isAmong)
    {
        body.line("final int[] numbers = new int[" + keys + ".size()];");
        body.open("for (int slot = 0; slot < " + keys + ".size(); slot++)");
        body.open("if (" + isAmong + ")");
        body.line("numbers[slot] = -1;");
        groups.state().writeClear(body);
        if (!byTime)
        {
            body.line(ring + ".clear(slot);");
        }
        body.close().close();
        if (byTime)
        {
            body.line("WindowRowCodec.forget(" + ring + ", numbers);");
            body.line("next" + node.number + "();");
        }
    }

    /**
     * Writes the bodies of the methods that write and read the state.
     *
     * @param isKept code for "the state of {@code slot} is written"
     */
    void writeState(final JavaText save, final JavaText load, final String isKept)
    {
        if (byTime)
        {
            save.line("final int[] numbers = new int[" + keys + ".size()];");
            load.line("final int[] slotOfGroup = new int[" + keys + ".size()];");
        }
        save.open("for (int slot = 0; slot < " + keys + ".size(); slot++)");
        save.line("final boolean isKept = " + isKept + ';');
        save.line("to.writeBoolean(isKept);");
        load.open("for (int slot = 0; slot < " + keys + ".size(); slot++)");
        if (byTime)
        {
            save.line("numbers[slot] = isKept ? slot : -1;");
            load.line("slotOfGroup[slot] = slot;");
        }
        save.open("if (isKept)");
        load.open("if (from.readBoolean())");
        load.line("checkNew(slot, " + groups.state().isClear() + ", " + context.text(node.describe()) + ");");
        groups.state().writeSave(save);
        groups.state().writeLoad(load);
        if (!byTime)
        {
            save.line(ring + ".write(slot, to);");
            load.line(ring + ".read(slot, from);");
        }
        save.close().close();
        load.close().close();
        if (groups.isUngrouped())
        {
            save.line("to.writeBoolean(started" + node.number + ");");
            load.line("started" + node.number + " |= from.readBoolean();");
        }
        if (byTime)
        {
            save.line("WindowRowCodec.write(" + ring + ", numbers, to);");
            load.line("WindowRowCodec.read(" + ring + ", slotOfGroup, slotOfGroup.length, from);");
            load.line("next" + node.number + "();");
        }
    }

    private void writeStart(final JavaText methods)
    {
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        body.open("for (int slot = 0; slot < " + keys + ".size(); slot++)");
        groups.writeStart(body, scope);
        body.close();
        OperatorGenerator.method(methods, "The only group of each statement has a row from the beginning of time.",
            "private void start" + node.number + "(final EventBatch in)", scope, body);
    }

    private void writePass(final JavaText methods)
    {
        final JavaText body = new JavaText(2);
        body.open("while (" + due + " < t)");
        body.line("leave" + node.number + "(in, " + due + ");");
        body.close();
        OperatorGenerator.method(methods, "Removes the rows that expire before t.", "private void pass" + node.number +
            "(final EventBatch in, final long t)", new MethodScope(), body);
    }

    private void writeDue(final JavaText methods)
    {
        final JavaText body = new JavaText(2);
        body.open("if (" + ring + ".size() == 0)");
        body.line(due + " = Long.MAX_VALUE;");
        body.line("return;");
        body.close();
        body.line("final long from = " + ring + ".head()[" + ring + ".headAt()];");
        body.line(due + " = " + dueOf("from") + ';');
        OperatorGenerator.method(methods, "When the oldest row leaves.", "private void next" + node.number + "()",
            new MethodScope(), body);
    }

    /** Code of the time at which a row leaves that arrived at {@code from}. */
    String dueOf(final String from)
    {
        final String range = context.number(shape.window().rangeNs(), CqlType.BIGINT);
        return from + " > Long.MAX_VALUE - " + range + " ? Long.MAX_VALUE : " + from + " + " + range;
    }

    private List<ArgumentValue> writeOldest(final JavaText body)
    {
        body.line("final long[] old = " + ring + ".head();");
        body.line("final int oldAt = " + ring + ".headAt();");
        return kept.writeRead(body, "old", "oldAt + 1");
    }

    private void writeLeave(final JavaText methods)
    {
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        final List<ArgumentValue> values = writeOldest(body);
        body.line("final int slot = (int) mark;");
        groups.writeLeave(body, values);
        body.line(ring + ".remove();");
        body.line("next" + node.number + "();");
        groups.writeChange(body, scope, "t", null);
        OperatorGenerator.method(methods, "The oldest row leaves at time t.", "private void leave" + node.number +
            "(final EventBatch in, final long t)", scope, body);
    }

    /** Adds a row with the key index {@code slot}. */
    void writeRow(final JavaText body, final MethodScope scope, final ExpressionEmitter row, final String leave)
    {
        final FamilyGroups.Arguments arguments = groups.arguments(row);
        if (arguments.error() != null)
        {
            body.open("if (" + arguments.error() + ")");
            body.line("reject(RejectionHandler.DIVISION_BY_ZERO, " + context.text(node.describe()) + ");");
            body.line(leave);
            body.close();
        }
        final List<ArgumentValue> values = arguments.values();
        if (!byTime)
        {
            body.line("final int circleAt = " + ring + ".next(slot);");
            writeExchange(body, scope, groups, values);
            return;
        }
        body.line("final long t = in.timestampNs(i);");
        body.open("if (" + due + " < t)");
        body.line("pass" + node.number + "(in, t);");
        body.close();
        body.line("final boolean full = " + due + " == t;");
        body.open("if (!full && " + ring + ".isFull())");
        body.line("rejectFull(" + context.text("more rows than may be kept, maxRows=" +
            WindowStage.MAX_ROWS + " in " + node.describe()) + ");");
        body.line(leave);
        body.close();
        body.open("if (full)");
        body.open("if ((int) " + ring + ".head()[" + ring + ".headAt() + 1] == slot)");
        final StringBuilder passed = new StringBuilder();
        values.forEach(value -> passed.append(", ").append(value.code()).append(", ")
            .append(value.isNull() == null ? "false" : value.isNull()));
        body.line("replace" + node.number + "(in, i, slot" + passed + ");");
        body.line(leave);
        body.close();
        body.line("leave" + node.number + "(in, t);");
        body.close();
        groups.writeEnter(body, values);
        writeAdd(body, values);
        groups.writeChange(body, scope, "t", "i");
    }

    /** The row replaces the oldest one of its statement, at {@code circleAt}; a free position is all zero. */
    void writeExchange(final JavaText body, final MethodScope scope, final FamilyGroups by,
        final List<ArgumentValue> values)
    {
        body.line("final long[] circle = " + ring + ".array(slot);");
        final List<ArgumentValue> leaving = kept.writeRead(body, "circle", "circleAt");
        body.open("if (mark == 0L)");
        body.line(ring + ".added();");
        body.close();
        kept.writeKeep(body, "circle", "circleAt", ONE, values);
        by.writeReplace(body, "(mark & 1L)", leaving, values);
        by.writeChange(body, scope, null, "i");
    }

    private void writeAdd(final JavaText body, final List<ArgumentValue> values)
    {
        body.line(ring + ".add();");
        body.line("final long[] young = " + ring + ".tail();");
        body.line("final int youngAt = " + ring + ".tailAt();");
        body.line("young[youngAt] = t;");
        kept.writeKeep(body, "young", "youngAt + 1", "slot", values);
        body.open("if (" + due + " == Long.MAX_VALUE)");
        body.line("next" + node.number + "();");
        body.close();
    }

    /** Writes a single change for a row that enters a group while another one leaves it. */
    private void writeReplace(final JavaText methods)
    {
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        body.line("final long t = in.timestampNs(i);");
        final List<ArgumentValue> leaving = writeOldest(body);
        final StringBuilder parameters = new StringBuilder();
        final List<ArgumentValue> entering = new ArrayList<>();
        for (int i = 0; i < state.arguments().size(); i++)
        {
            final String type = WindowRowLayout.type(state.arguments().get(i));
            parameters.append(", final ").append(type).append(" a").append(i).append(", final boolean z").append(i);
            entering.add(ArgumentValue.of("a" + i, "z" + i));
        }
        groups.writeReplace(body, ONE, leaving, entering);
        body.line(ring + ".remove();");
        body.line("next" + node.number + "();");
        writeAdd(body, entering);
        groups.writeChange(body, scope, "t", "i");
        OperatorGenerator.method(methods, "A row enters the group that the oldest row leaves at the same time.",
            "private void replace" + node.number + "(final EventBatch in, final int i, final int slot" + parameters +
            ')', scope, body);
    }
}
