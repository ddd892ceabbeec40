package dev.millrace.cql.compiler;

import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.Operator;
import java.util.ArrayList;
import java.util.List;

/**
 * The windows of a family's statements. Windows of a period share one ring, in which rows lie in the order they came:
 * what is in the window of a statement does not depend on the rows of others. Windows of a number of rows have a circle
 * each. Groups lie by place.
 *
 * <pre>
 *   period: row ──► all leave whose time is over, whichever statement they belong to ──► the row enters its group
 *   rows:   row ──► its circle: the oldest row of the statement leaves as it enters
 * </pre>
 */
final class FamilyWindow
{
    private static final String NEW = "New";

    private final ClassContext context;
    private final PlanNode node;
    private final Operator.WindowAggregate shape;
    private final FamilyChange change;
    private final KeySlots.Key key;
    private final String keys;
    private final WindowState state;
    private final boolean byTime;
    private final boolean ungrouped;
    private final String ring;
    private final String due;
    private final int groupCounter;
    private final int rowCounter;

    FamilyWindow(final ClassContext context, final PlanNode node, final FamilyChange change, final String keys,
        final KeySlots.Key key)
    {
        this.context = context;
        this.node = node;
        this.change = change;
        this.keys = keys;
        this.key = key;
        shape = ((Operator.KeyedOutputs)node.operator).shape();
        byTime = shape.window().rangeNs() > 0;
        ungrouped = shape.keys().isEmpty();
        ring = "ring" + node.number;
        due = "due" + node.number;
        groupCounter = context.state(node.name() + ".groups");
        rowCounter = context.state(node.name() + ".rows");
        state = new WindowState(context, node, shape);
        if (byTime)
        {
            context.field("final RowRing " + ring + " = new RowRing(" + (WindowStage.FIXED_WORDS +
                state.arguments().size()) + ", " + WindowStage.MAX_ROWS + ')');
            context.field("long " + due + " = Long.MAX_VALUE");
        }
        else
        {
            context.field("final KeyedRows " + ring);
            context.constructor().line(ring + " = new KeyedRows(" + keys + ".size(), " + shape.window().rows() + ", " +
                (1 + state.arguments().size()) + ");");
        }
        context.constructor().line("room" + node.number + "(" + keys + ".size());");
        if (ungrouped)
        {
            context.field("boolean started" + node.number);
        }
    }

    void writeReserve(final JavaText body)
    {
        body.line("stateSize(" + groupCounter + ", " + keys + ".size());");
        if (ungrouped)
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
        final JavaText room = new JavaText(2);
        state.growLines().forEach(room::line);
        Stage.method(methods, "Room for the groups of all statements.", "private void room" + node.number +
            "(final int length)", new MethodScope(), room);
        if (byTime)
        {
            writeLeave(methods);
            writePass(methods);
            writeDue(methods);
            writeReplace(methods);
        }
        if (ungrouped)
        {
            writeStart(methods);
        }
    }

    private void writeStart(final JavaText methods)
    {
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        body.open("for (int slot = 0; slot < " + keys + ".size(); slot++)");
        state.writeLoad(body, "slot");
        final Kernel kernel = new Kernel(context, node, scope, state.leaves("slot", key, ""), body);
        body.open("if (" + change.shown(kernel) + ")");
        kernel.within(() -> change.writeOut(body, scope, kernel, true, "Long.MIN_VALUE", null));
        body.close();
        body.close();
        Stage.method(methods, "The only group of each statement has a row from the beginning of time.",
            "private void start" + node.number + "(final EventBatch in)", scope, body);
    }

    private void writePass(final JavaText methods)
    {
        final JavaText body = new JavaText(2);
        body.open("while (" + due + " < t)");
        body.line("leave" + node.number + "(in, " + due + ");");
        body.close();
        Stage.method(methods, "All rows leave whose time is over before t.", "private void pass" + node.number +
            "(final EventBatch in, final long t)", new MethodScope(), body);
    }

    private void writeDue(final JavaText methods)
    {
        final JavaText body = new JavaText(2);
        body.open("if (" + ring + ".size() == 0)");
        body.line(due + " = Long.MAX_VALUE;");
        body.line("return;");
        body.close();
        final String range = shape.window().rangeNs() + "L";
        body.line("final long from = " + ring + ".head()[" + ring + ".headAt()];");
        body.line(due + " = from > Long.MAX_VALUE - " + range + " ? Long.MAX_VALUE : from + " + range + ';');
        Stage.method(methods, "When the oldest row leaves.", "private void next" + node.number + "()",
            new MethodScope(), body);
    }

    /** The values of a kept row in locals; its marks are in {@code mark}. */
    private List<WindowState.Value> writeKept(final JavaText body, final String array, final String from)
    {
        final List<WindowState.Value> values = new ArrayList<>();
        for (int i = 0; i < state.arguments().size(); i++)
        {
            final boolean floating = WindowStage.isFloating(state.arguments().get(i));
            final String word = array + '[' + from + " + " + i + ']';
            body.line("final " + (floating ? "double " : "long ") + "g" + i + " = " +
                (floating ? "Double.longBitsToDouble(" + word + ')' : word) + ';');
            values.add(new WindowState.Value("g" + i, "(mark & " + WindowStage.nullBit(i) + ") != 0L"));
        }
        return values;
    }

    private List<WindowState.Value> writeOldest(final JavaText body, final boolean withSlot)
    {
        body.line("final long[] old = " + ring + ".head();");
        body.line("final int oldAt = " + ring + ".headAt();");
        body.line("final long mark = old[oldAt + 1];");
        if (withSlot)
        {
            body.line("final int slot = (int) mark;");
        }
        return writeKept(body, "old", "oldAt + " + WindowStage.FIXED_WORDS);
    }

    private void writeLeave(final JavaText methods)
    {
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        final List<WindowState.Value> values = writeOldest(body, true);
        state.writeLoad(body, "slot");
        state.writeStep(body, "slot", "", NEW, false, values);
        state.writeStore(body, NEW);
        body.line(ring + ".remove();");
        body.line("next" + node.number + "();");
        writeChange(body, scope, "t", null);
        Stage.method(methods, "The oldest row leaves at time t.", "private void leave" + node.number +
            "(final EventBatch in, final long t)", scope, body);
    }

    private void writeChange(final JavaText body, final MethodScope scope, final String time, final String row)
    {
        final Kernel before = new Kernel(context, node, scope, state.leaves("slot", key, ""), body);
        final Kernel after = new Kernel(context, node, scope, state.leaves("slot", key, NEW), body);
        change.write(body, scope, before, after, exists("r", before), exists("r" + NEW, after), time, row);
    }

    private String exists(final String rows, final Kernel kernel)
    {
        final String shown = change.shown(kernel);
        return ungrouped ? shown : rows + " != 0L" + (shown.equals("true") ? "" : " & " + shown);
    }

    /** A row of the place {@code slot} enters. */
    void writeRow(final JavaText body, final MethodScope scope, final Kernel row, final String leave)
    {
        String error = null;
        final List<WindowState.Value> values = new ArrayList<>();
        for (final Expression argument : state.arguments())
        {
            error = GroupChange.either(error, row.error(argument));
            values.add(new WindowState.Value(row.value(argument, CharDomains.NONE), row.nullFlag(argument)));
        }
        if (error != null)
        {
            body.open("if (" + error + ")");
            body.line("reject(RowRejection.DIVISION_BY_ZERO, " + context.text(node.describe()) + ");");
            body.line(leave);
            body.close();
        }
        if (!byTime)
        {
            writeCircle(body, scope, row, values);
            return;
        }
        body.line("final long t = in.timestampNs(i);");
        body.open("if (" + due + " < t)");
        body.line("pass" + node.number + "(in, t);");
        body.close();
        body.line("final boolean full = " + due + " == t;");
        body.open("if (!full && " + ring + ".size() == " + WindowStage.MAX_ROWS + ")");
        body.line("reject(RowRejection.STATE_FULL, " + context.text("more rows than may be kept, maxRows=" +
            WindowStage.MAX_ROWS + " in " + node.describe()) + ");");
        body.line(leave);
        body.close();
        body.open("if (full)");
        body.open("if ((int) " + ring + ".head()[" + ring + ".headAt() + 1] == slot)");
        final StringBuilder arguments = new StringBuilder();
        values.forEach(value -> arguments.append(", ").append(value.code()).append(", ")
            .append(value.isNull() == null ? "false" : value.isNull()));
        body.line("replace" + node.number + "(in, i, slot" + arguments + ");");
        body.line(leave);
        body.close();
        body.line("leave" + node.number + "(in, t);");
        body.close();
        state.writeLoad(body, "slot");
        state.writeStep(body, "slot", "", NEW, true, values);
        state.writeStore(body, NEW);
        writeAdd(body, values);
        writeChange(body, scope, null, "i");
    }

    /** The row takes the place of the oldest of its statement, or a free one. */
    private void writeCircle(
        final JavaText body, final MethodScope scope, final Kernel row, final List<WindowState.Value> values)
    {
        body.line("final boolean full = " + ring + ".next(slot);");
        body.line("final long[] young = " + ring + ".array();");
        body.line("final int youngAt = " + ring + ".at();");
        state.writeLoad(body, "slot");
        body.open("if (full)");
        row.within(() ->
        {
            body.line("final long mark = young[youngAt];");
            final List<WindowState.Value> leaving = writeKept(body, "young", "youngAt + 1");
            state.writeStep(body, "slot", "", "Mid", false, leaving);
            state.writeStep(body, "slot", "Mid", NEW, true, values);
            writeEntered(body, scope, values);
        });
        body.close();
        body.open("else");
        row.within(() ->
        {
            state.writeStep(body, "slot", "", NEW, true, values);
            writeEntered(body, scope, values);
        });
        body.close();
    }

    private void writeEntered(final JavaText body, final MethodScope scope, final List<WindowState.Value> values)
    {
        state.writeStore(body, NEW);
        body.line("young[youngAt] = " + mark("0L", values) + ';');
        writeWords(body, 1, values);
        writeChange(body, scope, null, "i");
    }

    private void writeAdd(final JavaText body, final List<WindowState.Value> values)
    {
        body.line(ring + ".add();");
        body.line("final long[] young = " + ring + ".tail();");
        body.line("final int youngAt = " + ring + ".tailAt();");
        body.line("young[youngAt] = t;");
        body.line("young[youngAt + 1] = " + mark("slot", values) + ';');
        writeWords(body, WindowStage.FIXED_WORDS, values);
        body.open("if (" + due + " == Long.MAX_VALUE)");
        body.line("next" + node.number + "();");
        body.close();
    }

    private static String mark(final String slot, final List<WindowState.Value> values)
    {
        final StringBuilder mark = new StringBuilder(slot);
        for (int i = 0; i < values.size(); i++)
        {
            if (values.get(i).isNull() != null)
            {
                mark.append(" | (").append(values.get(i).isNull()).append(" ? ").append(WindowStage.nullBit(i))
                    .append(" : 0L)");
            }
        }
        return mark.toString();
    }

    private void writeWords(final JavaText body, final int from, final List<WindowState.Value> values)
    {
        for (int i = 0; i < values.size(); i++)
        {
            final String code = values.get(i).code();
            body.line("young[youngAt + " + (from + i) + "] = " + (WindowStage.isFloating(state.arguments().get(i)) ?
                "Double.doubleToRawLongBits(" + code + ')' : code) + ';');
        }
    }

    /** A row enters the group that another leaves at the same time: one change. */
    private void writeReplace(final JavaText methods)
    {
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        body.line("final long t = in.timestampNs(i);");
        final List<WindowState.Value> leaving = writeOldest(body, false);
        final StringBuilder parameters = new StringBuilder();
        final List<WindowState.Value> entering = new ArrayList<>();
        for (int i = 0; i < state.arguments().size(); i++)
        {
            final String type = WindowStage.isFloating(state.arguments().get(i)) ? "double" : "long";
            parameters.append(", final ").append(type).append(" a").append(i).append(", final boolean z").append(i);
            entering.add(new WindowState.Value("a" + i, "z" + i));
        }
        state.writeLoad(body, "slot");
        state.writeStep(body, "slot", "", "Mid", false, leaving);
        state.writeStep(body, "slot", "Mid", NEW, true, entering);
        state.writeStore(body, NEW);
        body.line(ring + ".remove();");
        body.line("next" + node.number + "();");
        writeAdd(body, entering);
        writeChange(body, scope, null, "i");
        Stage.method(methods, "A row enters the group that the oldest row leaves at the same time.",
            "private void replace" + node.number + "(final EventBatch in, final int i, final int slot" + parameters +
            ')', scope, body);
    }
}
