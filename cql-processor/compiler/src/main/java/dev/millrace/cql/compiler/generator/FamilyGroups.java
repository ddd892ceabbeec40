package dev.millrace.cql.compiler.generator;

import dev.millrace.cql.compiler.emit.ClassContext;
import dev.millrace.cql.compiler.emit.ExpressionEmitter;
import dev.millrace.cql.compiler.emit.JavaText;
import dev.millrace.cql.compiler.emit.KeySlots;
import dev.millrace.cql.compiler.emit.MethodScope;
import dev.millrace.cql.compiler.emit.PlanNode;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Expression;
import java.util.ArrayList;
import java.util.List;

/**
 * The groups of the windows of a query template, by key index, which is the local {@code slot}: writes changes of
 * groups and their output.
 */
final class FamilyGroups
{
    private static final String NEW = "New";
    private static final String MID = "Mid";
    private static final String ONE = "1L";

    private final ClassContext context;
    private final PlanNode node;
    private final WindowState state;
    private final FamilyChange change;
    private final KeySlots.Key key;
    private final boolean ungrouped;

    FamilyGroups(final ClassContext context, final PlanNode node, final WindowState state, final FamilyChange change,
        final KeySlots.Key key)
    {
        this.context = context;
        this.node = node;
        this.state = state;
        this.change = change;
        this.key = key;
        ungrouped = ((Operator.KeyedOutputs)node.operator).shape().keys().isEmpty();
    }

    /** A variant for a {@link FamilyRun}. */
    FamilyGroups byHand()
    {
        return new FamilyGroups(context, node, state.finite(), change.byHand(), key);
    }

    WindowState state()
    {
        return state;
    }

    /** Whether each statement has one group, which exists from the beginning. */
    boolean isUngrouped()
    {
        return ungrouped;
    }

    /**
     * Arguments of a row.
     *
     * @param values of the arguments
     * @param error  code for "they cannot be computed", {@code null} when they always can
     */
    record Arguments(List<ArgumentValue> values, String error)
    {
    }

    Arguments arguments(final ExpressionEmitter row)
    {
        String error = null;
        final List<ArgumentValue> values = new ArrayList<>();
        for (final Expression argument : state.arguments())
        {
            error = GroupChange.either(error, row.error(argument));
            values.add(ArgumentValue.of(row.value(argument), row.nullFlag(argument)));
        }
        return new Arguments(values, error);
    }

    /** Adds a row to the group. */
    void writeEnter(final JavaText body, final List<ArgumentValue> values)
    {
        state.writeLoad(body, "slot");
        state.writeStep(body, "slot", "", NEW, true, ONE, values);
        state.writeStore(body, NEW);
    }

    /** Removes a row from the group. */
    void writeLeave(final JavaText body, final List<ArgumentValue> values)
    {
        state.writeLoad(body, "slot");
        state.writeStep(body, "slot", "", NEW, false, ONE, values);
        state.writeStore(body, NEW);
    }

    /**
     * Adds a row to the group while another row leaves it.
     *
     * @param rows code of the number of rows that leave
     */
    void writeReplace(final JavaText body, final String rows, final List<ArgumentValue> leaving,
        final List<ArgumentValue> entering)
    {
        state.writeLoad(body, "slot");
        state.writeStep(body, "slot", "", MID, false, rows, leaving);
        state.writeStep(body, "slot", MID, NEW, true, ONE, entering);
        state.writeStore(body, NEW);
    }

    /**
     * Writes the output after one of these three.
     *
     * @param time code of the time; {@code null} when it is that of the input row
     * @param row  code of the number of the input row; {@code null} for none
     */
    void writeChange(final JavaText body, final MethodScope scope, final String time, final String row)
    {
        final ExpressionEmitter before = new ExpressionEmitter(context, node, scope, state.leaves("slot", key, ""),
            body);
        final ExpressionEmitter after = new ExpressionEmitter(context, node, scope, state.leaves("slot", key, NEW),
            body);
        change.write(body, scope, before, after, exists("r", before), exists("r" + NEW, after), time, row);
    }

    private String exists(final String rows, final ExpressionEmitter kernel)
    {
        final String shown = change.shown(kernel);
        return ungrouped ? shown : rows + " != 0L" + (shown.equals("true") ? "" : " & " + shown);
    }

    /** The only group of each statement has a row from the beginning of time. */
    void writeStart(final JavaText body, final MethodScope scope)
    {
        state.writeLoad(body, "slot");
        final ExpressionEmitter kernel = new ExpressionEmitter(context, node, scope, state.leaves("slot", key, ""),
            body);
        body.open("if (" + change.shown(kernel) + ")");
        kernel.within(() -> change.writeOut(body, scope, kernel, true, "Long.MIN_VALUE", null));
        body.close();
    }
}
