package dev.millrace.cql.compiler;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.Operator;
import java.util.ArrayList;
import java.util.List;

/**
 * Incremental aggregation of an unbounded stream. For each row: the group's values before and after, whether HAVING
 * shows them, and, where something visible has changed, the old row out and the new one in. A group's visible row is
 * not kept: it follows from its state.
 */
final class AggregateStage extends Stage
{
    private final Operator.GroupedAggregate aggregate;
    private final KeySlots slots;
    private final AggregateState state;
    private final GroupChange change;

    AggregateStage(final ClassContext context, final PlanNode node, final List<OutputStage> outputs)
    {
        super(context, node);
        aggregate = (Operator.GroupedAggregate)node.operator;
        change = new GroupChange(node, aggregate.having(), aggregate.fields(), outputs);
        context.fields().line("/* Groups of " + name + ". */");
        final List<CqlType> types = aggregate.keys().stream().map(Expression::type).toList();
        slots = new KeySlots(
            context, node, types, types.isEmpty() ? CharDomains.NONE : node.keyDomains[0], name + ".groups");
        state = new AggregateState(context, node);
        if (aggregate.keys().isEmpty())
        {
            context.field("boolean started" + node.number);
        }
    }

    @Override
    int repeatedColumn(final Expression expression)
    {
        return -1;
    }

    @Override
    void writeReserve(final JavaText body)
    {
        slots.writeReserve(body);
        if (aggregate.keys().isEmpty())
        {
            body.open("if (!started" + node.number + ")");
            body.line("started" + node.number + " = true;");
            body.line("start" + node.number + "(in);");
            body.close();
        }
    }

    @Override
    void writeRest(final JavaText methods)
    {
        slots.writeGrow(methods, state.growLines());
        if (!aggregate.keys().isEmpty())
        {
            return;
        }
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        state.writeLoadOld(body, scope, "0", false);
        final Kernel old = new Kernel(context, node, scope, state.oldLeaves(null), body);
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
    Batch writeBatch(final JavaText methods, final Rows input, final boolean exact)
    {
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        openLoop(body, scope, input.selection(), "n");
        writeRowBody(body, scope, input, exact, "continue;");
        body.close();
        method(methods, "Aggregation of a batch.", "private void " + name + suffix(exact) +
            "(final EventBatch in, final int n)", scope, body);
        return new Batch(null, name + suffix(exact), false);
    }

    @Override
    Rows writeRow(final JavaText methods, final Rows input, final boolean exact)
    {
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        writeRowBody(body, scope, input, exact, "return;");
        method(methods, "Aggregation of a row.", "private void " + rowMethod(exact) +
            "(final EventBatch in, final int i)", scope, body);
        return null;
    }

    private void writeRowBody(final JavaText body, final MethodScope scope, final Rows input, final boolean exact,
        final String leave)
    {
        final Kernel row = new Kernel(context, node, scope, Leaves.columns(scope, input, "i"), body);
        String error = null;
        final List<KeySlots.Key> keys = new ArrayList<>();
        for (int i = 0; i < aggregate.keys().size(); i++)
        {
            final Expression key = aggregate.keys().get(i);
            error = GroupChange.either(error, row.error(key));
            keys.add(key(row, key, node.keyDomains[i]));
        }
        for (final Operator.Aggregate each : aggregate.aggregates())
        {
            error = each.argument() == null ? error : GroupChange.either(error, row.error(each.argument()));
        }
        reject(body, error, leave);
        final String slot = slots.slot(body, scope, keys, leave);
        state.writeLoadOld(body, scope, slot, true);
        state.writeNew(body, row);
        final Kernel after = new Kernel(context, node, scope, state.newLeaves(keys), body);
        final String shown = change.shown(after);
        reject(body, change.errors(after, shown), leave);
        state.writeStore(body, scope, slot);
        final Kernel before = new Kernel(context, node, scope, state.oldLeaves(keys), body);
        change.write(body, scope, before, after, was(before), shown, null, "i");
    }

    static KeySlots.Key key(final Kernel row, final Expression key, final int domain)
    {
        final String value = row.value(key, domain);
        final String isNull = key instanceof Expression.Literal literal && Kernel.isNull(literal) ? "true" :
            row.nullFlag(key);
        // Negative zero is in the group of zero and shows as zero.
        return new KeySlots.Key(key.type(), switch (key.type())
        {
            case DOUBLE -> row.local("double", "key", value + " + 0.0");
            case FLOAT -> row.local("float", "key", value + " + 0.0F");
            default -> value;
        }, isNull);
    }

    /** Code of "the group had a row". */
    private String was(final Kernel before)
    {
        final List<String> conditions = new ArrayList<>();
        if (!aggregate.keys().isEmpty())
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
