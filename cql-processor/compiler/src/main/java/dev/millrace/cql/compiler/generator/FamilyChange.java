package dev.millrace.cql.compiler.generator;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.emit.ClassContext;
import dev.millrace.cql.compiler.emit.JavaText;
import dev.millrace.cql.compiler.emit.JavaTypes;
import dev.millrace.cql.compiler.emit.MethodScope;
import dev.millrace.cql.compiler.emit.PlanNode;
import dev.millrace.cql.plan.Operator;
import java.util.List;

/**
 * Output of the statements of a key index: writes rows into the batch of each statement that is not muted; statements
 * with the same sink share a batch.
 */
final class FamilyChange extends GroupChange
{
    private final PlanNode node;
    private final Operator.KeyedOutputs keyed;
    private final String family;
    private final boolean byHand;
    private final boolean relation;

    FamilyChange(final PlanNode node, final Operator.KeyedOutputs keyed, final String family)
    {
        this(node, keyed, family, false);
    }

    private FamilyChange(final PlanNode node, final Operator.KeyedOutputs keyed, final String family,
        final boolean byHand)
    {
        super(node, keyed.shape() == null ? null : keyed.shape().having(),
            keyed.shape() == null ? List.of() : keyed.shape().aggregates(), keyed.fields(), List.of());
        this.node = node;
        this.keyed = keyed;
        this.family = family;
        this.byHand = byHand;
        relation = ((Operator.Output)keyed.consumers().get(0)).kind() == Operator.OutputKind.RELATION;
    }

    /** Declares the arrays of the output columns by lane, as fields. */
    void declare(final ClassContext context)
    {
        for (int i = 0; i < node.outputTypes().size(); i++)
        {
            final CqlType type = node.outputTypes().get(i);
            final boolean isText = type == CqlType.CHAR;
            context.field("final " + (isText ? "CharColumn[] " : JavaTypes.element(type) + "[][] ") + column(i));
            context.constructor().line(column(i) + " = " + family + '.' +
                (isText ? "strings" : JavaTypes.accessor(type)) + '(' + i + ");");
        }
        context.field("final long[][] " + times());
        context.constructor().line(times() + " = " + family + ".times();");
    }

    private String column(final int index)
    {
        return "put" + node.number + '_' + index;
    }

    private String times()
    {
        return "putTimes" + node.number;
    }

    @Override
    boolean isRelation()
    {
        return relation;
    }

    /** A variant for a method that writes rows directly to the only lane: uses the locals {@code k} and {@code log}. */
    FamilyChange byHand()
    {
        return new FamilyChange(node, keyed, family, true);
    }

    /** Maximum number of rows that a change emits. */
    int most()
    {
        return relation ? 2 : 1;
    }

    @Override
    void put(final JavaText body, final MethodScope scope, final OutputRow shown)
    {
        if (byHand)
        {
            body.line("final int o = " + family + ".first(slot);");
            body.open("if (o != TemplateOutputs.NONE)");
            writeRow(body, scope, shown, "0");
            body.line("log[k] = o;");
            body.line("k++;");
            body.close();
            return;
        }
        body.open("for (int o = " + family + ".first(slot); o != TemplateOutputs.NONE; o = " + family + ".next(o))");
        body.line("final int lane = " + family + ".lane(o);");
        body.line("final int k = " + family + ".add(o);");
        writeRow(body, scope, shown, "lane");
        body.open("if (k == EventBatch.CAPACITY - 1)");
        body.line("send(" + family + ", lane);");
        body.close();
        body.close();
    }

    /** Writes row {@code k} of a lane. */
    private void writeRow(final JavaText body, final MethodScope scope, final OutputRow shown, final String lane)
    {
        final String batch = family + ".batch(" + lane + ')';
        for (int i = 0; i < shown.values().size(); i++)
        {
            final CqlType type = node.outputTypes().get(i);
            if (shown.copies().get(i) != null)
            {
                body.line(shown.copyText(i, array(scope, column(i), "CharColumn"), "k"));
                continue;
            }
            body.line(array(scope, column(i), JavaTypes.element(type) + "[]") + "[k] = " +
                JavaTypes.store(type, shown.values().get(i)) + ';');
            if (shown.nulls().get(i) != null)
            {
                body.open("if (" + shown.nulls().get(i) + ")");
                body.line(batch + ".setNull(" + i + ", k);");
                body.close();
            }
        }
        body.line(array(scope, times(), "long[]") + "[k] = " +
            (shown.time() == null ? "in.timestampNs(" + shown.row() + ')' : shown.time()) + ';');
        body.open("if (in.hasOrigins())");
        body.line(batch + ".useOrigins()[k] = " +
            (shown.row() == null ? "0L" : "in.originsNs()[" + shown.row() + ']') + ';');
        body.close();
        if (relation)
        {
            body.line(batch + ".useKinds()[k] = EventBatch." + (shown.enters() ? "INSERT" : "DELETE") + ';');
        }
    }

    /** A column of the row's lane. */
    private String array(final MethodScope scope, final String field, final String type)
    {
        return byHand ? scope.local(field, type, "this." + field + "[0]") :
            scope.local(field, type + "[]", "this." + field) + "[lane]";
    }
}
