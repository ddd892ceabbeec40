package dev.millrace.cql.compiler;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.Operator;
import java.util.List;

/**
 * Rows that the statements of a place put out: written into the batch of each statement that is not muted, which
 * statements with one sink share.
 */
final class FamilyChange extends GroupChange
{
    private final PlanNode node;
    private final String family;
    private final int firstCounter;
    private final boolean relation;

    FamilyChange(final PlanNode node, final Operator.KeyedOutputs keyed, final String family, final int firstCounter)
    {
        super(node, keyed.shape() == null ? null : keyed.shape().having(),
            keyed.shape() == null ? List.of() : keyed.shape().aggregates(), keyed.fields(), List.of());
        this.node = node;
        this.family = family;
        this.firstCounter = firstCounter;
        relation = ((Operator.Output)keyed.consumers().get(0)).kind() == Operator.OutputKind.RELATION;
    }

    /** The arrays of the output columns by lane, as fields. */
    void declare(final ClassContext context)
    {
        for (int i = 0; i < node.outputTypes().size(); i++)
        {
            final CqlType type = node.outputTypes().get(i);
            context.field("final " + JavaTypes.element(type) + "[][] " + column(i));
            context.constructor().line(column(i) + " = " + family + '.' + JavaTypes.accessor(type) + '(' + i + ");");
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

    @Override
    void put(final JavaText body, final MethodScope scope, final Shown shown)
    {
        body.open("for (int o = " + family + ".first(slot); o != FamilyOutputs.NONE; o = " + family + ".next(o))");
        body.line("final int lane = " + family + ".lane(o);");
        body.line("final int k = " + family + ".add(lane);");
        for (int i = 0; i < shown.values().size(); i++)
        {
            final CqlType type = node.outputTypes().get(i);
            final String to = scope.local(column(i), JavaTypes.element(type) + "[][]", "this." + column(i));
            body.line(to + "[lane][k] = " + JavaTypes.store(type, shown.values().get(i)) + ';');
            if (shown.nulls().get(i) != null)
            {
                body.open("if (" + shown.nulls().get(i) + ")");
                body.line(family + ".batch(lane).setNull(" + i + ", k);");
                body.close();
            }
        }
        body.line(scope.local(times(), "long[][]", "this." + times()) + "[lane][k] = " +
            (shown.time() == null ? "in.timestampNs(" + shown.row() + ')' : shown.time()) + ';');
        body.open("if (in.hasOrigins())");
        body.line(family + ".batch(lane).useOrigins()[k] = " +
            (shown.row() == null ? "0L" : "in.originsNs()[" + shown.row() + ']') + ';');
        body.close();
        if (relation)
        {
            body.line(family + ".batch(lane).useKinds()[k] = EventBatch." + (shown.enters() ? "INSERT" : "DELETE") +
                ';');
        }
        body.line("countOut(" + firstCounter + " + o);");
        body.open("if (k == EventBatch.CAPACITY - 1)");
        body.line("send(" + family + ", lane);");
        body.close();
        body.close();
    }
}
