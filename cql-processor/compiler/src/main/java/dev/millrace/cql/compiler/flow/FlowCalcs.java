package dev.millrace.cql.compiler.flow;

import dev.millrace.cql.plan.Field;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowProperties;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Which generated condition and columns belong to which node. Immutable after it is made. */
final class FlowCalcs
{
    private final Map<FlowNode, Integer> indexes = new IdentityHashMap<>();

    FlowCalcs(final List<FlowNode> nodes, final FlowProperties properties, final CalcGenerator generator)
    {
        nodes.forEach(node -> add(node, properties, generator));
    }

    private void add(final FlowNode node, final FlowProperties properties, final CalcGenerator generator)
    {
        if (node instanceof FlowNode.Calc calc)
        {
            indexes.put(node, generator.add(calc.condition(), calc.fields() == null ? List.of() : calc.fields(),
                column -> properties.isRead(calc, column), calc.input().rows()));
        }
        else if (node instanceof FlowNode.Join join && join.condition() != null)
        {
            indexes.put(node, generator.add(join.condition(), join.rows()));
        }
        else if (node instanceof FlowNode.Pull pull)
        {
            final List<Field> keys = new ArrayList<>();
            pull.keys().forEach(key -> keys.add(new Field("key" + keys.size(), key)));
            indexes.put(node, generator.add(keys, pull.input().rows()));
        }
    }

    /** Index of a node's class; -1 when it has none. */
    int indexOf(final FlowNode node)
    {
        return indexes.getOrDefault(node, -1);
    }
}
