package dev.millrace.cql.compiler.flow;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.Field;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.FlowRoute;
import dev.millrace.cql.runtime.flow.Calc;
import dev.millrace.cql.runtime.flow.RowHashes;
import java.util.List;

/** Which generated columns say where rows of a source go. Immutable after it is made. */
final class FlowRouters
{
    private final FlowPlan plan;
    private final int[] indexes;

    FlowRouters(final FlowPlan plan, final CalcGenerator generator)
    {
        this.plan = plan;
        indexes = new int[plan.sources().size()];
        for (int i = 0; i < indexes.length; i++)
        {
            final FlowRoute route = plan.routes().get(i);
            indexes[i] = route.kind() != FlowRoute.Kind.VALUE || isPlain(i) ? -1 :
                generator.add(List.of(new Field("partition", route.value())), plan.sources().get(i).rows());
        }
    }

    /** Whether the value stands in the batch as it is. */
    private boolean isPlain(final int source)
    {
        return plan.routes().get(source).value() instanceof Expression.Column column &&
            column.column() < plan.sources().get(source).type().properties().size();
    }

    RowHashes hashes(final int source, final BatchSchema schema, final Calc[] calcs)
    {
        final Expression value = plan.routes().get(source).value();
        if (isPlain(source))
        {
            return new RowHashes(schema, ((Expression.Column)value).column());
        }
        final FlowNode.Source channel = plan.sources().get(source);
        return new RowHashes(schema, channel.elementTime(), calcs[indexes[source]], value.type());
    }
}
