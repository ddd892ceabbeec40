package dev.millrace.cql.compiler.generator;

import dev.millrace.cql.compiler.emit.ClassContext;
import dev.millrace.cql.compiler.emit.ExpressionEmitter;
import dev.millrace.cql.compiler.emit.JavaText;
import dev.millrace.cql.compiler.emit.LeafResolver;
import dev.millrace.cql.compiler.emit.MethodScope;
import dev.millrace.cql.compiler.emit.PlanNode;
import dev.millrace.cql.compiler.emit.RowSelection;
import java.util.List;
import java.util.function.Function;

/**
 * Fast path of a query template: a run of rows of a batch that meet no special case, with one lane, finite numbers and
 * capacity in the current arrays. Everything that changes from row to row (positions in ring and batch, the next due
 * time) is in locals; no method is called. The first row with a special case ends the run and is processed by the
 * general code, then the next run begins; rows that have left during the run stay removed.
 */
final class FamilyRun
{
    private final PlanNode node;
    private final ClassContext context;
    private final String family;
    private final FamilyWindow window;
    private final FamilyGroups groups;
    private final FamilyChange change;

    FamilyRun(final ClassContext context, final PlanNode node, final String family, final FamilyWindow window,
        final FamilyChange change)
    {
        this.context = context;
        this.node = node;
        this.family = family;
        this.window = window;
        this.groups = window == null ? null : window.groups().byHand();
        this.change = change.byHand();
    }

    private String name()
    {
        return "run" + node.number;
    }

    /** Opens a loop over the input rows that no run processes; the row is {@code i}. */
    void openLoop(final JavaText body, final MethodScope scope, final String selection)
    {
        body.open("for (int j = " + name() + "(in, 0, n); j < n; j = " + name() + "(in, j + 1, n))");
        body.line("final int i = " + row(scope, selection) + ';');
    }

    private static String row(final MethodScope scope, final String selection)
    {
        return selection == null ? "j" : scope.local(selection, "int[]", "this." + selection) + "[j]";
    }

    /**
     * Writes the method.
     *
     * @param input    selected rows
     * @param keyIndex code of the key index of a row, negative when no statement has its key
     */
    void write(final JavaText methods, final RowSelection input, final Function<ExpressionEmitter, String> keyIndex)
    {
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        final boolean byTime = window != null && window.isByTime();
        final String odd = groups == null ? null : groups.state().notFinite();
        body.open("if (!" + family + ".isPlain()" + (odd == null ? "" : " | " + odd) +
            (byTime ? " | " + window.ring() + ".size() == 0" : "") + ")");
        body.line("return first;");
        body.close();
        if (byTime)
        {
            writeFetch(body);
        }
        body.line("final int[] log = " + family + ".log(0);");
        body.line("int k = " + family + ".size(0);");
        body.line("int j = first;");
        body.open("while (j < n & k < EventBatch.CAPACITY - " + change.most() + ")");
        writeRow(body, scope, input, keyIndex);
        body.line("j++;");
        body.close();
        if (byTime)
        {
            body.line(window.ring() + ".moved(oldAt, youngAt);");
            body.line(window.due() + " = due;");
        }
        body.line(family + ".size(0, k);");
        body.line("return j;");
        OperatorGenerator.method(methods, "Rows from the first on while nothing unusual comes; the first that is left.",
            "private int " + name() + "(final EventBatch in, final int first, final int n)", scope, body);
    }

    private void writeFetch(final JavaText body)
    {
        final String ring = window.ring();
        body.line("int removable = " + ring + ".removable();");
        body.line("int addable = " + ring + ".addable();");
        body.line("final long[] old = " + ring + ".head();");
        body.line("int oldAt = " + ring + ".headAt();");
        body.line("final long[] young = " + ring + ".tail();");
        body.line("int youngAt = " + ring + ".tailAt();");
        body.line("long due = " + window.due() + ';');
    }

    private void writeRow(final JavaText body, final MethodScope scope, final RowSelection input,
        final Function<ExpressionEmitter, String> keyIndex)
    {
        body.line("final int i = " + row(scope, input.selection()) + ';');
        final ExpressionEmitter row = new ExpressionEmitter(context, node, scope,
            LeafResolver.columns(scope, input, "i"), body);
        body.line("final int keyIndex = " + keyIndex.apply(row) + ';');
        body.open("if (keyIndex < 0)");
        body.line("j++;");
        body.line("continue;");
        body.close();
        if (window == null)
        {
            body.line("final int slot = keyIndex;");
            change.writeOut(body, scope, row, true, "in.timestampNs(i)", "i");
            return;
        }
        if (window.isByTime())
        {
            body.line("final long t = in.timestampNs(i);");
            body.open("if (due <= t)");
            writeLeave(body, scope);
            body.line("continue;");
            body.close();
        }
        body.line("final int slot = keyIndex;");
        if (!window.isByTime())
        {
            body.line("final int circleAt = " + window.ring() + ".writeIndex(slot);");
        }
        breakIf(body, window.isByTime() ? "addable == 0" : "circleAt < 0");
        final FamilyGroups.Arguments arguments = groups.arguments(row);
        breakIf(body, GroupChange.either(arguments.error(), groups.state().notFinite(arguments.values())));
        if (window.isByTime())
        {
            writeEnter(body, scope, arguments.values());
        }
        else
        {
            body.line(window.ring() + ".taken(slot, circleAt);");
            window.writeExchange(body, scope, groups, arguments.values());
        }
    }

    private static void breakIf(final JavaText body, final String condition)
    {
        if (condition != null)
        {
            body.open("if (" + condition + ")");
            body.line("break;");
            body.close();
        }
    }

    /** Removes the oldest row, unless it is the last of its array or the current row replaces it. */
    private void writeLeave(final JavaText body, final MethodScope scope)
    {
        final List<ArgumentValue> values = window.kept().writeRead(body, "old", "oldAt + 1");
        body.line("final int slot = (int) mark;");
        breakIf(body, "removable == 0 | due == t & slot == keyIndex");
        groups.writeLeave(body, values);
        groups.writeChange(body, scope, "due", null);
        body.line("removable--;");
        body.line("oldAt += " + window.words() + ';');
        body.line("due = " + window.dueOf("old[oldAt]") + ';');
    }

    private void writeEnter(final JavaText body, final MethodScope scope, final List<ArgumentValue> values)
    {
        groups.writeEnter(body, values);
        body.line("addable--;");
        body.line("youngAt += " + window.words() + ';');
        body.line("young[youngAt] = t;");
        window.kept().writeKeep(body, "young", "youngAt + 1", "slot", values);
        groups.writeChange(body, scope, "t", "i");
    }
}
