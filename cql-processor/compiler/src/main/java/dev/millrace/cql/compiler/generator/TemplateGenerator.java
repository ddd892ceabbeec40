package dev.millrace.cql.compiler.generator;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.emit.ClassContext;
import dev.millrace.cql.compiler.emit.ExpressionEmitter;
import dev.millrace.cql.compiler.emit.JavaText;
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
 * A query template: statements that differ only in the value of a key. A row finds the index of its key with one array
 * access; rows with other keys end here. Output rows are written to the batch of their sink, which statements with the
 * same sink share, in the order in which they are produced.
 */
public final class TemplateGenerator extends OperatorGenerator
{
    private final Operator.KeyedOutputs keyed;
    private final CqlType keyType;
    private final String keys;
    private final String family;
    private final FamilyChange change;
    private final FamilyWindow window;
    private final FamilyRun run;

    public TemplateGenerator(final ClassContext context, final PlanNode node)
    {
        super(context, node);
        keyed = (Operator.KeyedOutputs)node.operator;
        keyType = keyed.key().type();
        keys = "keys" + node.number;
        family = "family" + node.number;
        context.fields().line("/* Statements of " + name + ". */");
        context.field("final TemplateKeys " + keys);
        context.field("final TemplateOutputs " + family);
        final List<String> queries = new ArrayList<>();
        int first = -1;
        for (final Operator output : keyed.consumers())
        {
            queries.add(((Operator.Output)output).queryId());
            final int counter = context.output(((Operator.Output)output).queryId());
            first = first < 0 ? counter : first;
        }
        final String keyTable = keyType == CqlType.CHAR ?
            "ofTexts(" + context.strings() + ", " + context.constant(keyed.values().stream()
                .map(value -> (String)value.value()).toArray(String[]::new), "String[]") + ')' :
            "ofNumbers(" + context.constant(keyed.values().stream()
                .mapToLong(value -> ((Number)value.value()).longValue()).toArray(), "long[]") + ')';
        context.constructor().line(keys + " = TemplateKeys." + keyTable + ';');
        context.constructor().line(family + " = new TemplateOutputs(bindings, " +
            context.constant(queries.toArray(new String[0]), "String[]") + ", " + first + ", " + keys + ");");
        change = new FamilyChange(node, keyed, family);
        change.declare(context);
        window = keyed.shape() == null ? null : new FamilyWindow(context, node, change, keys, keyOfSlot());
        run = new FamilyRun(context, node, family, window, change);
    }

    /** Code of the key of a key index. */
    private KeySlots.Key keyOfSlot()
    {
        final String value = keys + ".valueOf(slot)";
        return new KeySlots.Key(keyType, keyType == CqlType.BIGINT ? value : "(int) " + value, null);
    }

    @Override
    public int repeatedColumn(final Expression expression)
    {
        return -1;
    }

    @Override
    public void writeReserve(final JavaText body)
    {
        if (window != null)
        {
            window.writeReserve(body);
        }
    }

    @Override
    public void writeTime(final JavaText body, final String time)
    {
        if (window != null)
        {
            window.writeTime(body, time);
        }
    }

    @Override
    public void writeRest(final JavaText methods)
    {
        if (window != null)
        {
            window.writeRest(methods);
        }
    }

    @Override
    public void writeForget(final JavaText body)
    {
        if (window != null)
        {
            window.writeForget(body, isAmong());
        }
    }

    /** Code for "the partition of {@code slot} is selected". */
    private String isAmong()
    {
        final int source = keyed.key() instanceof Expression.Column column ? node.sourceColumns[column.column()] : -1;
        final String value = keys + ".valueOf(slot)";
        return (source < 0 ? "" : "which.isBy(" + source + ") ? which.partitions()." + (keyType == CqlType.CHAR ?
            "ofString(" + context.strings() + ".string((int) " + value + "))" : "ofLong(" + value + ')') + " : ") +
            "shared" + node.number + "(which)";
    }

    @Override
    public boolean writeState(final JavaText save, final JavaText load)
    {
        if (window == null)
        {
            return false;
        }
        window.writeState(save, load, "!which.isSome() || (" + isAmong() + ')');
        return true;
    }

    /** Sends rows collected since the start of the input batch. */
    public void writeEndOfBatch(final JavaText body)
    {
        body.line("sendAll(" + family + ");");
    }

    /** Sends rows that the passing of time has produced, then a heartbeat to each sink. */
    public void writeHeartbeat(final JavaText body)
    {
        writeEndOfBatch(body);
        body.line("heartbeat(" + family + ", in.baseTimestampNs());");
    }

    /** Stops the output of a query. */
    public void writeMute(final JavaText body)
    {
        body.line(family + ".mute(queryId);");
    }

    @Override
    public Batch writeBatch(final JavaText methods, final RowSelection input, final boolean exact)
    {
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        if (exact)
        {
            openLoop(body, scope, input.selection(), "n");
        }
        else
        {
            run.write(methods, input, this::slotOf);
            run.openLoop(body, scope, input.selection());
        }
        writeRowBody(body, scope, input, "continue;");
        body.close();
        return batchMethod(methods, "Statements of a batch.", scope, body, exact);
    }

    @Override
    public RowSelection writeRow(final JavaText methods, final RowSelection input, final boolean exact)
    {
        final MethodScope scope = new MethodScope();
        final JavaText body = new JavaText(2);
        writeRowBody(body, scope, input, "return;");
        rowMethod(methods, "Statements of a row.", scope, body, exact);
        return null;
    }

    private void writeRowBody(final JavaText body, final MethodScope scope, final RowSelection input,
        final String leave)
    {
        final ExpressionEmitter row = new ExpressionEmitter(context, node, scope,
            LeafResolver.columns(scope, input, "i"), body);
        body.line("final int slot = " + slotOf(row) + ';');
        body.open("if (slot < 0)");
        body.line(leave);
        body.close();
        if (window != null)
        {
            window.writeRow(body, scope, row, leave);
            return;
        }
        change.writeOut(body, scope, row, true, "in.timestampNs(i)", "i");
    }

    /** Code of the key index of a row, negative when no statement has its key. */
    private String slotOf(final ExpressionEmitter row)
    {
        final String value = row.known(keyed.key());
        final String isNull = keyType == CqlType.CHAR ? null : row.nullFlag(keyed.key());
        final String slot = keys + (keyType == CqlType.CHAR ? ".slotOfId(" : ".slotOfNumber(") + value + ')';
        return isNull == null ? slot : isNull + " ? TemplateKeys.NONE : " + slot;
    }
}
