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
    private final List<OutputStage> outputs;

    AggregateStage(final ClassContext context, final PlanNode node, final List<OutputStage> outputs)
    {
        super(context, node);
        aggregate = (Operator.GroupedAggregate)node.operator;
        this.outputs = outputs;
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
        String visible = aggregate.having() == null ? "true" : old.value(aggregate.having());
        final String errors = errors(old, visible);
        visible = errors == null ? visible : visible + " & !(" + errors + ")";
        body.open("if (" + visible + ")");
        writeOut(body, scope, old, "INSERT", "Long.MIN_VALUE", null);
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
            error = either(error, row.error(key));
            keys.add(key(row, key, node.keyDomains[i]));
        }
        for (final Operator.Aggregate each : aggregate.aggregates())
        {
            error = each.argument() == null ? error : either(error, row.error(each.argument()));
        }
        reject(body, error, leave);
        final String slot = slots.slot(body, scope, keys, leave);
        state.writeLoadOld(body, scope, slot, true);
        state.writeNew(body, row);
        final Kernel after = new Kernel(context, node, scope, state.newLeaves(keys), body);
        final String shown = aggregate.having() == null ? "true" : after.value(aggregate.having());
        reject(body, errors(after, shown), leave);
        state.writeStore(body, scope, slot);
        final Kernel before = new Kernel(context, node, scope, state.oldLeaves(keys), body);
        writeChange(body, scope, before, after, shown);
    }

    private static KeySlots.Key key(final Kernel row, final Expression key, final int domain)
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

    private static String either(final String left, final String right)
    {
        return left == null ? right : right == null ? left : left + " | " + right;
    }

    /** Condition under which a group's row cannot be computed. */
    private String errors(final Kernel kernel, final String shown)
    {
        final String having = aggregate.having() == null ? null : kernel.error(aggregate.having());
        String ofFields = null;
        for (final dev.millrace.cql.plan.Field field : aggregate.fields())
        {
            ofFields = either(ofFields, kernel.error(field.expression()));
        }
        return either(having, ofFields == null ? null : shown + " & (" + ofFields + ")");
    }

    /** The difference between what was shown and what is shown. */
    private void writeChange(final JavaText body, final MethodScope scope, final Kernel before, final Kernel after,
        final String shown)
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
            final String errors = errors(before, conditions.isEmpty() ? "true" : conditions.get(0));
            if (errors != null)
            {
                conditions.add("!(" + errors + ")");
            }
        }
        final String was = conditions.isEmpty() ? "true" : String.join(" & ", conditions);
        body.line("final boolean was = " + was + ';');
        body.line("final boolean is = " + shown + ';');
        body.open("if (was | is)");
        before.within(() -> after.within(() ->
        {
            final String same = writeSame(before, after);
            body.open("if (!(was & is & " + same + "))");
            body.open("if (was)");
            before.within(() -> writeOut(body, scope, before, "DELETE", null, "i"));
            body.close();
            body.open("if (is)");
            after.within(() -> writeOut(body, scope, after, "INSERT", null, "i"));
            body.close();
            body.close();
        }));
        body.close();
    }

    /** Code of "all columns are equal before and after"; keys are equal anyway. */
    private String writeSame(final Kernel before, final Kernel after)
    {
        final List<String> equal = new ArrayList<>();
        for (int i = 0; i < aggregate.fields().size(); i++)
        {
            final Expression expression = aggregate.fields().get(i).expression();
            final boolean[] depends = new boolean[1];
            PlanNode.walk(expression, each -> depends[0] |= each instanceof Expression.AggregateValue);
            if (!depends[0])
            {
                continue;
            }
            final String left = before.value(expression, node.outputDomains[i]);
            final String right = after.value(expression, node.outputDomains[i]);
            final String leftNull = before.nullFlag(expression);
            final String rightNull = after.nullFlag(expression);
            final String values = switch (expression.type())
            {
                case FLOAT, DOUBLE -> '(' + left + " == " + right + " | (" + left + " != " + left + " & " + right +
                    " != " + right + "))";
                case BIGDECIMAL -> "Decimals.compare(" + left + ", " + right + ") == 0";
                default -> left + " == " + right;
            };
            equal.add(leftNull == null && rightNull == null ? '(' + values + ')' :
                "(" + flag(leftNull) + " == " + flag(rightNull) + " & (" + flag(leftNull) + " | " + values + "))");
        }
        return equal.isEmpty() ? "true" : String.join(" & ", equal);
    }

    private static String flag(final String isNull)
    {
        return isNull == null ? "false" : isNull;
    }

    /** A row of the relation goes to each output; {@code row} is the input row whose time it takes, or none. */
    private void writeOut(final JavaText body, final MethodScope scope, final Kernel kernel, final String kind,
        final String time, final String row)
    {
        final List<String> values = new ArrayList<>();
        final List<String> nulls = new ArrayList<>();
        for (int i = 0; i < aggregate.fields().size(); i++)
        {
            final Expression expression = aggregate.fields().get(i).expression();
            values.add(kernel.value(expression, node.outputDomains[i]));
            nulls.add(expression.type().storage().usesNullBitmap() ? kernel.nullFlag(expression) : null);
        }
        for (final OutputStage output : outputs)
        {
            final String batch = output.batch();
            final String at = "row" + output.node.number;
            body.line("final int " + at + " = " + batch + ".size();");
            output.writeValues(body, scope, node.outputTypes(), values, nulls);
            body.line(batch + ".useKinds()[" + at + "] = EventBatch." + kind + ';');
            if (row == null)
            {
                body.line(batch + ".useTimestampPerRow()[" + at + "] = " + time + ';');
                body.open("if (in.hasOrigins())");
                body.line(batch + ".useOrigins()[" + at + "] = 0L;");
                body.close();
            }
            else
            {
                body.line("copyTime(in, " + row + ", " + batch + ", " + at + ");");
            }
            body.line(batch + ".size(" + at + " + 1);");
            body.open("if (" + at + " == EventBatch.CAPACITY - 1)");
            body.line(output.send());
            body.close();
        }
    }
}
