package dev.millrace.cql.compiler.unit;

import dev.millrace.cql.compiler.unit.code.ConsumerCode;
import dev.millrace.cql.compiler.unit.code.Edge;
import dev.millrace.cql.compiler.unit.code.OperatorCode;
import dev.millrace.cql.compiler.unit.code.UnitText;
import dev.millrace.cql.compiler.unit.group.GroupCode;
import dev.millrace.cql.compiler.unit.group.GroupInput;
import dev.millrace.cql.compiler.unit.join.JoinCode;
import dev.millrace.cql.compiler.unit.output.NetCode;
import dev.millrace.cql.compiler.unit.output.OutputCode;
import dev.millrace.cql.compiler.unit.output.StreamCode;
import dev.millrace.cql.compiler.unit.window.RangeWindowCode;
import dev.millrace.cql.compiler.unit.window.SlideWindowCode;
import dev.millrace.cql.compiler.unit.window.SourceCode;
import dev.millrace.cql.compiler.unit.window.WaitCode;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.FlowProperties;
import dev.millrace.cql.plan.flow.WindowSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Makes the operators of a unit: from the sources along those that read them, so that each operator knows its readers
 * when it is made.
 *
 * <p>Used once, by one thread.
 */
final class UnitBuilder
{
    private final UnitText unit;
    private final FlowProperties properties;
    private final List<FlowPlan.Output> outputs;
    private final Map<FlowNode, List<FlowNode>> readers = new IdentityHashMap<>();
    private final List<FlowNode.Source> sources = new ArrayList<>();
    private final Map<FlowNode, ConsumerCode> made = new IdentityHashMap<>();
    private final Map<FlowNode, JoinCode> joins = new IdentityHashMap<>();
    /** Readers first. */
    private final List<OperatorCode> operators = new ArrayList<>();

    UnitBuilder(final UnitText unit, final FlowProperties properties, final List<FlowPlan.Output> outputs)
    {
        this.properties = properties;
        this.unit = unit;
        this.outputs = outputs;
        final Map<FlowNode, Boolean> seen = new IdentityHashMap<>();
        for (final FlowPlan.Output output : outputs)
        {
            for (final FlowNode node : FlowNode.upstream(output.input()))
            {
                if (seen.put(node, true) != null)
                {
                    continue;
                }
                node.inputs().forEach(input -> read(input, node));
                if (node instanceof FlowNode.Source source)
                {
                    sources.add(source);
                }
            }
        }
    }

    /** A join of a relation with itself reads it once for both sides. */
    private void read(final FlowNode input, final FlowNode reader)
    {
        final List<FlowNode> known = readers.computeIfAbsent(input, key -> new ArrayList<>());
        if (known.stream().noneMatch(each -> each == reader))
        {
            known.add(reader);
        }
    }

    /** What feeds the unit, by the number of the way in. */
    List<FlowNode.Source> sources()
    {
        return sources;
    }

    /** All operators, inputs first. */
    List<OperatorCode> build()
    {
        final boolean hasInstants = readers.keySet().stream().anyMatch(node -> !(node instanceof FlowNode.Source) &&
            !(node instanceof FlowNode.Calc)) ||
            outputs.stream().anyMatch(output -> output.input() instanceof FlowNode.Window);
        final SourceCode.Clock clock = !hasInstants ? SourceCode.Clock.ROWS :
            sources.size() > 1 ? SourceCode.Clock.WAITING : SourceCode.Clock.INSTANTS;
        for (int i = sources.size() - 1; i >= 0; i--)
        {
            final List<Edge> edges = edges(sources.get(i));
            operators.add(new SourceCode(unit, sources.get(i), i, clock == SourceCode.Clock.WAITING ?
                edges.stream().map(this::waiting).toList() : edges, clock));
        }
        Collections.reverse(operators);
        return operators;
    }

    /** What reads a node: through filters and projections, and through windows. */
    private List<Edge> edges(final FlowNode node)
    {
        final List<Edge> edges = new ArrayList<>();
        for (int i = 0; i < outputs.size(); i++)
        {
            if (outputs.get(i).input() == node)
            {
                edges.add(new Edge(List.of(),
                    new OutputCode(unit, i, node.rows().types(), outputs.get(i).stream())));
            }
        }
        for (final FlowNode reader : readers.getOrDefault(node, List.of()))
        {
            if (reader instanceof FlowNode.Calc calc)
            {
                edges(reader).forEach(edge -> edges.add(new Edge(
                    Stream.concat(Stream.of(calc), edge.calcs().stream()).toList(), edge.consumer())));
            }
            else if (reader instanceof FlowNode.Window window)
            {
                edges(reader).forEach(edge -> edges.add(new Edge(edge.calcs(), window(window, edge.consumer()))));
            }
            else if (reader instanceof FlowNode.Join join)
            {
                final JoinCode code = join(join);
                if (join.left() == node)
                {
                    edges.add(new Edge(List.of(), code.left()));
                }
                if (join.right() == node)
                {
                    edges.add(new Edge(List.of(), code.right()));
                }
            }
            else
            {
                edges.add(new Edge(List.of(), consumer(reader)));
            }
        }
        return edges;
    }

    private Edge waiting(final Edge edge)
    {
        final WaitCode code = new WaitCode(unit, edge.consumer());
        operators.add(code);
        return new Edge(edge.calcs(), code);
    }

    private ConsumerCode window(final FlowNode.Window window, final ConsumerCode consumer)
    {
        final long rangeNs = RangeWindowCode.rangeNs(window.window());
        if (rangeNs < 0)
        {
            final SlideWindowCode code =
                new SlideWindowCode(unit, (WindowSpec.Range)window.window(), netted(consumer));
            operators.add(code);
            return code;
        }
        final RangeWindowCode code = new RangeWindowCode(
            unit, rangeNs, rangeNs == RangeWindowCode.UNBOUNDED ? consumer : netted(consumer));
        operators.add(code);
        return code;
    }

    /** A reader that wants net changes of a relation in which equal rows may enter and leave in one instant. */
    private ConsumerCode netted(final ConsumerCode consumer)
    {
        if (!consumer.wantsNet())
        {
            return consumer;
        }
        final NetCode net = new NetCode(unit, consumer);
        operators.add(net);
        return net;
    }

    private ConsumerCode consumer(final FlowNode node)
    {
        final ConsumerCode known = made.get(node);
        if (known != null)
        {
            return known;
        }
        final ConsumerCode code = make(node);
        made.put(node, code);
        return code;
    }

    private JoinCode join(final FlowNode.Join join)
    {
        final JoinCode known = joins.get(join);
        if (known != null)
        {
            return known;
        }
        final List<Edge> edges = edges(join).stream().map(edge -> properties.isGrowing(join) ? edge :
            new Edge(edge.calcs(), netted(edge.consumer()))).toList();
        final JoinCode code = new JoinCode(unit, join, edges);
        joins.put(join, code);
        operators.add(code);
        return code;
    }

    private ConsumerCode make(final FlowNode node)
    {
        if (node instanceof FlowNode.Group group)
        {
            final List<Edge> edges = edges(group).stream().map(edge -> GroupCode.keepsKeys(group, edge.calcs()) ? edge :
                new Edge(edge.calcs(), netted(edge.consumer()))).toList();
            final GroupCode code = new GroupCode(unit, group, GroupInput.of(group, properties), edges);
            operators.add(code);
            return code;
        }
        if (node instanceof FlowNode.ToStream stream)
        {
            return new StreamCode(
                stream.kind() == FlowNode.StreamKind.ISTREAM, stream.rows().types(), edges(stream));
        }
        throw new IllegalStateException("operator without text, node=" + node.getClass().getSimpleName());
    }
}
