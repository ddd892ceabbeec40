package dev.millrace.cql.compiler.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowProperties;
import dev.millrace.cql.plan.flow.RowType;
import dev.millrace.cql.runtime.flow.RowLayout;

/** Where the columns of each node's rows lie: those that nobody reads have no place. Immutable. */
final class RowLayouts
{
    private final FlowProperties properties;

    RowLayouts(final FlowProperties properties)
    {
        this.properties = properties;
    }

    RowLayout of(final FlowNode node)
    {
        final RowType rows = node.rows();
        final boolean[] kept = new boolean[rows.size()];
        for (int i = 0; i < kept.length; i++)
        {
            kept[i] = properties.isRead(node, i);
        }
        return new RowLayout(rows.types().toArray(new CqlType[0]), kept);
    }
}
