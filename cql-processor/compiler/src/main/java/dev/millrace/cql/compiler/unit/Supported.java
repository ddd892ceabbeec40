package dev.millrace.cql.compiler.unit;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.TermMethods;
import dev.millrace.cql.compiler.unit.code.Words;
import dev.millrace.cql.compiler.unit.group.GroupCode;
import dev.millrace.cql.compiler.unit.join.JoinCode;
import dev.millrace.cql.compiler.unit.window.RelationCode;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.FlowProperties;
import dev.millrace.cql.plan.flow.WindowSpec;
import java.util.ArrayList;
import java.util.List;

/** Says which operators have text here; all others run in the operators of {@code runtime.flow}. Keeps no state. */
final class Supported
{
    /** Larger rows and expressions would make methods that Java never compiles. */
    private static final int MOST_COLUMNS = 64;
    private static final int MOST_OPERATIONS = 500;

    private Supported()
    {
    }

    /** Whether a unit can compute an output. */
    static boolean is(final FlowPlan.Output output, final FlowProperties properties, final Forgotten forgotten)
    {
        final List<FlowNode> nodes = FlowNode.upstream(output.input());
        return (output.stream() || isNetted(output.input())) &&
            nodes.stream().allMatch(node -> is(node, properties, forgotten)) &&
            nodes.stream().mapToInt(Supported::operations).sum() <= MOST_OPERATIONS;
    }

    private static int operations(final FlowNode node)
    {
        if (node instanceof FlowNode.Join join)
        {
            return join.condition() == null ? 0 : TermMethods.operations(join.condition());
        }
        if (!(node instanceof FlowNode.Calc calc))
        {
            return 0;
        }
        return (calc.condition() == null ? 0 : TermMethods.operations(calc.condition())) +
            (calc.fields() == null ? 0 :
            calc.fields().stream().mapToInt(field -> TermMethods.operations(field.expression())).sum());
    }

    /** Whether changes are net, or can be netted. */
    private static boolean isNetted(final FlowNode relation)
    {
        final List<FlowNode.Calc> calcs = new ArrayList<>();
        FlowNode node = relation;
        while (node instanceof FlowNode.Calc calc)
        {
            calcs.add(0, calc);
            node = calc.input();
        }
        return node instanceof FlowNode.Group group && GroupCode.keepsKeys(group, calcs) ||
            areWords(relation);
    }

    private static boolean areWords(final FlowNode node)
    {
        return node.rows().types().stream().allMatch(Words::has);
    }

    /** Whether rows of the instant reach a node through filters, projections and joins alone. */
    private static boolean isOfInstant(final FlowNode node, final FlowProperties properties)
    {
        if (node instanceof FlowNode.Join join)
        {
            return isOfInstant(properties.isOfInstant(join.left()) ? join.left() : join.right(), properties);
        }
        return node instanceof FlowNode.Window || node instanceof FlowNode.Calc calc &&
            isOfInstant(calc.input(), properties);
    }

    private static boolean is(final FlowNode node, final FlowProperties properties, final Forgotten forgotten)
    {
        if (node.rows().size() > MOST_COLUMNS && !(node instanceof FlowNode.Source))
        {
            return false;
        }
        if (node instanceof FlowNode.Source source)
        {
            return !source.relation() || RelationCode.isSupported(source, properties.columnsRead(source));
        }
        if (node instanceof FlowNode.Window window)
        {
            return is(window.window(), window.rows().types());
        }
        if (node instanceof FlowNode.Group group)
        {
            return GroupCode.isSupported(group);
        }
        if (node instanceof FlowNode.Join join)
        {
            return JoinCode.isSupported(join, forgotten.nodes());
        }
        if (node instanceof FlowNode.ToStream stream)
        {
            return stream.difference().isEmpty() && (stream.kind() == FlowNode.StreamKind.RSTREAM ?
                properties.isOfInstant(stream.input()) && isOfInstant(stream.input(), properties) ||
                areWords(node) && !readsInstants(node) : isNetted(stream.input()));
        }
        if (node instanceof FlowNode.SetOperation set && set.kind() == FlowNode.SetKind.UNION_ALL)
        {
            return true;
        }
        if (node instanceof FlowNode.Distinct || node instanceof FlowNode.SetOperation ||
            node instanceof FlowNode.Sort || node instanceof FlowNode.TopN || node instanceof FlowNode.Evaluate)
        {
            return areWords(node);
        }
        return node instanceof FlowNode.Calc || node instanceof FlowNode.Timed;
    }

    private static boolean isNow(final FlowNode node)
    {
        return node instanceof FlowNode.Window window && window.window() instanceof WindowSpec.Now;
    }

    /** Whether RSTREAM sees rows of an instant that others than joins have changed. */
    private static boolean readsInstants(final FlowNode node)
    {
        return FlowNode.upstream(node).stream().anyMatch(Supported::isNow);
    }

    private static boolean is(final WindowSpec window, final List<CqlType> types)
    {
        if (window instanceof WindowSpec.Partition partition)
        {
            return partition.partitionBy().stream().map(types::get).allMatch(Words::has);
        }
        if (window instanceof WindowSpec.Session session)
        {
            return session.partitionBy().stream().map(types::get).allMatch(Words::has);
        }
        return !(window instanceof WindowSpec.User);
    }
}
