package dev.millrace.cql.testkit;

import dev.millrace.cql.functions.xml.XmlTable;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.runtime.function.LookupSource;
import java.util.HashMap;
import java.util.Map;

/** Sources of XMLTABLE. Stateless. */
public final class XmlSources
{
    private XmlSources()
    {
    }

    /** The tables of a flow, by the names in the plan. */
    public static Map<String, LookupSource> of(final FlowPlan plan)
    {
        final Map<String, LookupSource> tables = new HashMap<>();
        for (final FlowPlan.Output output : plan.outputs())
        {
            for (final FlowNode node : FlowNode.upstream(output.input()))
            {
                if (node instanceof FlowNode.Pull pull && pull.kind() == FlowNode.PullKind.XML)
                {
                    tables.put(pull.source(), XmlTable.of(pull.details()));
                }
            }
        }
        return tables;
    }
}
