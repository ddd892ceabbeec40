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
        super(node, keyed.shape() == null ? null : keyed.shape().having(), keyed.fields(), List.of());
        this.node = node;
        this.family = family;
        this.firstCounter = firstCounter;
        relation = ((Operator.Output)keyed.consumers().get(0)).kind() == Operator.OutputKind.RELATION;
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
        body.line("final EventBatch out = " + family + ".open(o);");
        body.line("final int k = out.size();");
        for (int i = 0; i < shown.values().size(); i++)
        {
            final CqlType type = node.outputTypes().get(i);
            body.line("out." + JavaTypes.accessor(type) + '(' + i + ")[k] = " +
                JavaTypes.store(type, shown.values().get(i)) + ';');
            if (shown.nulls().get(i) != null)
            {
                body.open("if (" + shown.nulls().get(i) + ")");
                body.line("out.setNull(" + i + ", k);");
                body.close();
            }
        }
        final String time = shown.time() == null ? "in.timestampNs(" + shown.row() + ')' : shown.time();
        body.line("out.useTimestampPerRow()[k] = " + time + ';');
        body.open("if (in.hasOrigins())");
        final String origin = shown.row() == null ? "0L" : "in.originsNs()[" + shown.row() + ']';
        body.line("out.useOrigins()[k] = " + origin + ';');
        body.close();
        if (relation)
        {
            body.line("out.useKinds()[k] = EventBatch." + (shown.enters() ? "INSERT" : "DELETE") + ';');
        }
        body.line("out.size(k + 1);");
        body.line("countOut(" + firstCounter + " + o);");
        body.open("if (k == EventBatch.CAPACITY - 1)");
        body.line("send(" + family + ", " + family + ".lane(o));");
        body.close();
        body.close();
    }
}
