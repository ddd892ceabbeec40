package dev.millrace.cql.compiler.generator;

import dev.millrace.cql.compiler.emit.ClassContext;
import dev.millrace.cql.compiler.emit.ExpressionEmitter;
import dev.millrace.cql.compiler.emit.JavaText;
import dev.millrace.cql.compiler.emit.JavaTypes;
import dev.millrace.cql.compiler.emit.KeySlots;
import dev.millrace.cql.compiler.emit.LeafResolver;
import dev.millrace.cql.compiler.emit.MethodScope;
import dev.millrace.cql.compiler.emit.PlanNode;
import dev.millrace.cql.compiler.emit.RowSelection;
import dev.millrace.cql.compiler.emit.SlotArrays;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Expression;
import java.util.ArrayList;
import java.util.List;

/**
 * Incremental aggregation of an unbounded stream. For each row it computes the values of the group before and after,
 * evaluates HAVING for both, and, when the visible result has changed, emits a delete of the old row and an insert of
 * the new one. The visible row of a group is not stored: it is derived from the state.
 */
public final class AggregateStage extends OperatorGenerator
{
    /** Maximum number of operands of the method for rare cases; with more aggregates or keys the code stays inline. */
    private static final int MOST_OPERANDS = 8;

    private final Operator.GroupedAggregate aggregate;
    private final KeySlots slots;
    private final SlotArrays arrays;
    private final AggregateState state;
    private final GroupChange change;
    /** Whether the method for rare cases has been written, in the fast and in the exact form. */
    private final boolean[] changeWritten = new boolean[2];

    public AggregateStage(final ClassContext context, final PlanNode node, final List<OutputStage> outputs)
    {
        super(context, node);
        aggregate = (Operator.GroupedAggregate)node.operator;
        change = new GroupChange(node, aggregate.having(), aggregate.aggregates(), aggregate.fields(), outputs);
        context.fields().line("/* Groups of " + name + ". */");
        slots = new KeySlots(context, node, aggregate.keys(), name + ".groups");
        arrays = new SlotArrays(context, node, slots);
        state = new AggregateState(context, node, arrays);
        if (aggregate.keys().isEmpty())
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
    public List<String> exactConditions()
    {
        return arrays.exactConditions();
    }

    @Override
    public void writeReserve(final JavaText body)
    {
        arrays.writeReserve(body);
        if (aggregate.keys().isEmpty())
        {
            body.open("if (!started" + node.number + ")");
            body.line("started" + node.number + " = true;");
            body.line("start" + node.number + "(in);");
            body.close();
        }
    }

    @Override
    public void writeRest(final JavaText methods)
    {
        arrays.writeRest(methods);
        if (!aggregate.keys().isEmpty())
        {
            return;
        }
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        state.writeLoadOld(body, scope, "0", false);
        final ExpressionEmitter old = new ExpressionEmitter(context, node, scope, state.oldLeaves(null), body);
        String visible = change.shown(old);
        final String errors = change.errors(old, visible);
        visible = errors == null ? visible : visible + " & !(" + errors + ")";
        body.open("if (" + visible + ")");
        change.writeOut(body, scope, old, true, "Long.MIN_VALUE", null);
        body.close();
        method(methods, "The only group has a row from the beginning of time.", "private void start" + node.number +
            "(final EventBatch in)", scope, body);
    }

    @Override
    public void writeForget(final JavaText body)
    {
        arrays.openForget(body);
        arrays.writeClear(body);
        slots.closeForget(body);
    }

    @Override
    public boolean writeState(final JavaText save, final JavaText load)
    {
        arrays.openSave(save);
        KeySlots.closeSave(save);
        arrays.openLoad(load);
        load.close();
        if (aggregate.keys().isEmpty())
        {
            save.line("to.writeBoolean(started" + node.number + ");");
            load.line("started" + node.number + " |= from.readBoolean();");
        }
        return true;
    }

    @Override
    public Batch writeBatch(final JavaText methods, final RowSelection input, final boolean exact)
    {
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        if (!exact && slots.isCode() && state.canRun() && isChangeRare() &&
            aggregate.keys().get(0) instanceof Expression.Column column)
        {
            final String ids = input.columns().get(column.column()).array(scope);
            writeRunChoice(body, scope, ids, input.selection());
            writeRun(methods, input, column.column());
        }
        openLoop(body, scope, input.selection(), "n");
        writeRowBody(methods, body, scope, input, new Form(exact, false, "continue;"));
        body.close();
        return batchMethod(methods, "Aggregation of a batch.", scope, body, exact);
    }

    /**
     * Form of the code that processes rows.
     *
     * @param exact whether nulls occur or state is moving
     * @param run   whether the state of a group stays in locals while consecutive rows belong to it
     * @param leave statement that skips the row
     */
    private record Form(boolean exact, boolean run, String leave)
    {
    }

    private boolean isChangeRare()
    {
        return aggregate.having() != null && aggregate.aggregates().size() <= MOST_OPERANDS &&
            aggregate.keys().size() <= MOST_OPERANDS;
    }

    /**
     * Chooses the run form when the first, middle and last row of a batch have the same group, since the batch then
     * probably has few groups. A sum that goes through memory costs the time from a store to the load of the next row,
     * which is several times that of an addition.
     */
    private void writeRunChoice(final JavaText body, final MethodScope scope, final String ids,
        final String selection)
    {
        final List<String> rows = new ArrayList<>();
        for (final String index : List.of("0", "n >> 1", "n - 1"))
        {
            rows.add(ids + '[' + (selection == null ? index :
                scope.local(selection, "int[]", "this." + selection) + '[' + index + ']') + ']');
        }
        body.open("if (" + rows.get(0) + " == " + rows.get(1) + " & " + rows.get(0) + " == " + rows.get(2) + ")");
        body.line(name + "Run(in, n);");
        body.line("return;");
        body.close();
    }

    private void writeRun(final JavaText methods, final RowSelection input, final int column)
    {
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        final String first = input.selection() == null ? "0" :
            scope.local(input.selection(), "int[]", "this." + input.selection()) + "[0]";
        body.line("int last = " + input.columns().get(column).value(scope, first) + ';');
        state.writeRunStart(body, scope);
        openLoop(body, scope, input.selection(), "n");
        writeRowBody(methods, body, scope, input, new Form(false, true, "continue;"));
        body.close();
        state.writeRunEnd(body, scope);
        method(methods, "Aggregation of a batch of few groups.", "private void " + name +
            "Run(final EventBatch in, final int n)", scope, body);
    }

    @Override
    public RowSelection writeRow(final JavaText methods, final RowSelection input, final boolean exact)
    {
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        writeRowBody(methods, body, scope, input, new Form(exact, false, "return;"));
        rowMethod(methods, "Aggregation of a row.", scope, body, exact);
        return null;
    }

    private void writeRowBody(final JavaText methods, final JavaText body, final MethodScope scope,
        final RowSelection input,
        final Form form)
    {
        final ExpressionEmitter row = new ExpressionEmitter(context, node, scope,
            LeafResolver.columns(scope, input, "i"), body);
        String error = null;
        final List<KeySlots.Key> keys = new ArrayList<>();
        for (int i = 0; i < aggregate.keys().size(); i++)
        {
            final Expression key = aggregate.keys().get(i);
            error = GroupChange.either(error, row.error(key));
            keys.add(key(row, key));
        }
        for (final Operator.Aggregate each : aggregate.aggregates())
        {
            error = each.argument() == null ? error : GroupChange.either(error, row.error(each.argument()));
        }
        reject(body, error, form.leave);
        final String slot = slots.slot(body, scope, keys, form.leave);
        if (form.run)
        {
            state.writeRunLoad(body, scope, slot);
        }
        else
        {
            state.writeLoadOld(body, scope, slot, form.exact);
        }
        state.writeNew(body, row);
        final ExpressionEmitter after = new ExpressionEmitter(context, node, scope, state.newLeaves(keys), body);
        final String shown = change.shown(after);
        reject(body, change.errors(after, shown), form.leave);
        if (form.run)
        {
            state.writeRunStore(body);
        }
        else
        {
            state.writeStore(body, scope, slot, form.exact);
        }
        final ExpressionEmitter before = new ExpressionEmitter(context, node, scope, state.oldLeaves(keys), body);
        if (!isChangeRare())
        {
            change.write(body, scope, before, after, was(before), shown, null, "i");
            return;
        }
        writeChangeCall(body, keys, was(before), shown, form.exact);
        writeChange(methods, keys, form.exact);
    }

    /** HAVING makes emitted rows rare: the code for them is moved out of the loop, which becomes short. */
    private void writeChangeCall(final JavaText body, final List<KeySlots.Key> keys, final String was,
        final String is, final boolean exact)
    {
        final StringBuilder call =
            new StringBuilder("change" + node.number + OperatorGenerator.suffix(exact) + "(in, i, was, is");
        state.locals().forEach(local -> call.append(", ").append(local.substring(local.indexOf(' ') + 1)));
        for (final KeySlots.Key key : keys)
        {
            call.append(", ").append(key.value());
            if (key.isNull() != null)
            {
                call.append(", ").append(key.isNull());
            }
        }
        body.line("final boolean was = " + was + ';');
        body.line("final boolean is = " + is + ';');
        body.open("if (was | is)");
        body.line(call + ");");
        body.close();
    }

    private void writeChange(final JavaText methods, final List<KeySlots.Key> keys, final boolean exact)
    {
        if (changeWritten[exact ? 1 : 0])
        {
            return;
        }
        changeWritten[exact ? 1 : 0] = true;
        final StringBuilder heading =
            new StringBuilder("private void change" + node.number + OperatorGenerator.suffix(exact) +
            "(final EventBatch in, final int i, final boolean was, final boolean is");
        state.locals().forEach(local -> heading.append(", final ").append(local));
        final List<KeySlots.Key> operands = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++)
        {
            final KeySlots.Key key = keys.get(i);
            final String isNull = key.isNull() == null ? null : "isNull" + i;
            heading.append(", final ").append(JavaTypes.local(key.type())).append(" key").append(i);
            heading.append(isNull == null ? "" : ", final boolean " + isNull);
            operands.add(new KeySlots.Key(key.type(), "key" + i, isNull));
        }
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        change.writeDifference(body, scope,
            new ExpressionEmitter(context, node, scope, state.oldLeaves(operands), body),
            new ExpressionEmitter(context, node, scope, state.newLeaves(operands), body), null, "i");
        method(methods, "A group that is or was shown has changed.", heading + ")", scope, body);
    }

    static KeySlots.Key key(final ExpressionEmitter row, final Expression key)
    {
        final String value = row.value(key);
        final String isNull = key instanceof Expression.Literal literal && ExpressionEmitter.isNull(literal) ? "true" :
            row.nullFlag(key);
        // Negative zero is in the group of zero and is shown as zero.
        return new KeySlots.Key(key.type(), switch (key.type())
        {
            case DOUBLE -> row.local("double", "key", value + " + 0.0");
            case FLOAT -> row.local("float", "key", value + " + 0.0F");
            default -> value;
        }, isNull);
    }

    /** Code for "the group had a row". */
    private String was(final ExpressionEmitter before)
    {
        final List<String> conditions = new ArrayList<>();
        if (!aggregate.keys().isEmpty() && state.isFlagged())
        {
            conditions.add(state.oldExists());
        }
        if (aggregate.having() != null)
        {
            conditions.add(before.value(aggregate.having()));
        }
        if (aggregate.keys().isEmpty())
        {
            final String errors = change.errors(before, conditions.isEmpty() ? "true" : conditions.get(0));
            if (errors != null)
            {
                conditions.add("!(" + errors + ")");
            }
        }
        return conditions.isEmpty() ? "true" : String.join(" & ", conditions);
    }
}
