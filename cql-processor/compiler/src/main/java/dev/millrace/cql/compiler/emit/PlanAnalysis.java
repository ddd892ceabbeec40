package dev.millrace.cql.compiler.emit;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Numbers the operators of a plan and finds the columns that are used. */
public final class PlanAnalysis
{
    public final List<PlanNode> roots = new ArrayList<>();
    /** Source columns that some operator reads. */
    public final BitSet usedSource = new BitSet();

    private int nodes;

    public PlanAnalysis(final PipelinePlan plan)
    {
        final List<CqlType> types = typesOf(plan.sourceType());
        for (final Operator root : plan.compiledRoots())
        {
            roots.add(add(root, types));
        }
        roots.forEach(root -> usedSource.or(root.findUsed()));
    }

    private static List<CqlType> typesOf(final EventType type)
    {
        return type.properties().stream().map(property -> property.type()).toList();
    }

    private PlanNode add(final Operator given, final List<CqlType> inputTypes)
    {
        final Operator operator = given instanceof Operator.Family family ? family.fused() : given;
        nodes++;
        final PlanNode node = new PlanNode(operator, nodes, inputTypes);
        if (operator instanceof Operator.Output output)
        {
            checkOutput(output, inputTypes);
            return node;
        }
        if (operator.consumers().isEmpty())
        {
            throw new IllegalArgumentException("operator without consumer, please report this plan: " + node.name());
        }
        for (final Operator consumer : operator.consumers())
        {
            node.consumers.add(add(consumer, node.outputTypes()));
        }
        return node;
    }

    private static void checkOutput(final Operator.Output output, final List<CqlType> inputTypes)
    {
        if (!typesOf(output.type()).equals(inputTypes))
        {
            throw new IllegalArgumentException("output type does not fit its rows, please report this plan: query=" +
                output.queryId() + " type=" + output.type() + " rows=" + inputTypes);
        }
    }
}
