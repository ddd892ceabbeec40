package dev.millrace.cql.compiler.unit;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.unit.code.ConsumerCode;
import dev.millrace.cql.compiler.unit.code.Edge;
import dev.millrace.cql.compiler.unit.code.Leaving;
import dev.millrace.cql.compiler.unit.code.OperatorCode;
import dev.millrace.cql.compiler.unit.code.Partition;
import dev.millrace.cql.compiler.unit.code.Readers;
import dev.millrace.cql.compiler.unit.code.UnitText;
import dev.millrace.cql.compiler.unit.group.GroupCode;
import dev.millrace.cql.compiler.unit.group.GroupInput;
import dev.millrace.cql.compiler.unit.join.JoinCode;
import dev.millrace.cql.compiler.unit.join.JoinSides;
import dev.millrace.cql.compiler.unit.join.PullCode;
import dev.millrace.cql.compiler.unit.join.ScanJoinCode;
import dev.millrace.cql.compiler.unit.output.DifferenceCode;
import dev.millrace.cql.compiler.unit.output.EvaluateCode;
import dev.millrace.cql.compiler.unit.output.NetCode;
import dev.millrace.cql.compiler.unit.output.OutputCode;
import dev.millrace.cql.compiler.unit.output.StreamCode;
import dev.millrace.cql.compiler.unit.output.WholeCode;
import dev.millrace.cql.compiler.unit.set.SetCode;
import dev.millrace.cql.compiler.unit.set.SortCode;
import dev.millrace.cql.compiler.unit.set.TopCode;
import dev.millrace.cql.compiler.unit.set.UnionCode;
import dev.millrace.cql.compiler.unit.window.KeyedWindowCode;
import dev.millrace.cql.compiler.unit.window.RangeWindowCode;
import dev.millrace.cql.compiler.unit.window.RelationCode;
import dev.millrace.cql.compiler.unit.window.RowsWindowCode;
import dev.millrace.cql.compiler.unit.window.SessionWindowCode;
import dev.millrace.cql.compiler.unit.window.SlideWindowCode;
import dev.millrace.cql.compiler.unit.window.SourceCode;
import dev.millrace.cql.compiler.unit.window.TickCode;
import dev.millrace.cql.compiler.unit.window.TimedCode;
import dev.millrace.cql.compiler.unit.window.UntilWindowCode;
import dev.millrace.cql.compiler.unit.window.UserWindowCode;
import dev.millrace.cql.compiler.unit.window.ValueWindowCode;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Creates the operators of a unit: from the sources to their readers, so that each operator knows its readers when it
 * is created.
 *
 * <p>Not thread-safe; used once.
 */
final class UnitBuilder
{
    /** Maximum number of columns passed to a method. */
    private static final int MOST_PARAMETERS = 64;

    private final UnitText unit;
    private final FlowProperties properties;
    private final List<FlowPlan.Output> outputs;
    private final Forgotten forgotten;
    private final Map<FlowNode, List<FlowNode>> readers = new IdentityHashMap<>();
    private final List<FlowNode.Source> sources = new ArrayList<>();
    private final Map<FlowNode, ConsumerCode> made = new IdentityHashMap<>();
    private final Map<FlowNode, List<JoinSides>> joins = new IdentityHashMap<>();
    private final Map<FlowNode, List<Edge>> sorts = new IdentityHashMap<>();
    private final Map<FlowNode, List<Edge>> pulls = new IdentityHashMap<>();
    private final Map<FlowNode, SetCode> sets = new IdentityHashMap<>();
    private final Map<FlowNode, List<Edge>> unions = new IdentityHashMap<>();
    /** Readers first. */
    private final List<OperatorCode> operators = new ArrayList<>();

    UnitBuilder(final UnitText unit, final FlowProperties properties, final List<FlowPlan.Output> outputs,
        final Forgotten forgotten)
    {
        this.forgotten = forgotten;
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

    /** The sources of the unit, by index of the input. */
    List<FlowNode.Source> sources()
    {
        return sources;
    }

    /** All operators, inputs first. */
    List<OperatorCode> build()
    {
        final boolean hasInstants = outputs.stream().flatMap(output -> FlowNode.upstream(output.input()).stream())
            .anyMatch(node -> !(node instanceof FlowNode.Source source ? !source.relation() :
                node instanceof FlowNode.Calc));
        final SourceCode.Clock clock = !hasInstants ? SourceCode.Clock.ROWS :
            sources.size() > 1 || forgotten.canForget() ? SourceCode.Clock.WAITING : SourceCode.Clock.INSTANTS;
        for (int i = sources.size() - 1; i >= 0; i--)
        {
            final List<Edge> edges = sources.get(i).relation() ? List.of(relation(sources.get(i))) :
                edges(sources.get(i));
            final int input = i;
            operators.add(new SourceCode(unit, sources.get(i), i, clock == SourceCode.Clock.WAITING ?
                edges.stream().map(edge -> waiting(input, edge)).toList() : edges, clock));
        }
        Collections.reverse(operators);
        return operators;
    }

    private Edge relation(final FlowNode.Source source)
    {
        return new Edge(List.of(), add(new RelationCode(unit, source, readers(source, false))));
    }

    /** The readers of a node: through filters and projections, and through windows. */
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
                edges(reader).forEach(edge ->
                    edges.add(edge.consumer().isOfInstant() ? edge : window(window, edge)));
            }
            else if (reader instanceof FlowNode.Timed)
            {
                edges(reader).forEach(edge -> edges.add(new Edge(List.of(),
                    new TimedCode(node.rows().types(), reader.rows().types(), edge))));
            }
            else if (reader instanceof FlowNode.SetOperation set)
            {
                set(set, node, edges);
            }
            else if (reader instanceof FlowNode.Join join)
            {
                for (final JoinSides code : joins(join))
                {
                    if (join.left() == node)
                    {
                        edges.add(new Edge(List.of(), code.left()));
                    }
                    if (join.right() == node)
                    {
                        edges.add(new Edge(List.of(), code.right()));
                    }
                }
            }
            else if (reader instanceof FlowNode.Sort sort)
            {
                edges.addAll(sorts(sort));
            }
            else if (reader instanceof FlowNode.Pull pull)
            {
                edges.addAll(pulls(pull));
            }
            else
            {
                edges.add(new Edge(List.of(), consumer(reader)));
            }
        }
        return edges;
    }

    /** Rows that wait for other rows; those of a partition to discard wait as well. */
    private Edge waiting(final int input, final Edge edge)
    {
        final Partition.Carried carried = partition(sources.get(input), edge.calcs());
        if (carried.partition() == null && edge.consumer() instanceof SlideWindowCode window)
        {
            window.readSource();
            return edge;
        }
        final WaitCode code = new WaitCode(unit, input, edge.consumer(), carried.partition());
        operators.add(code);
        return new Edge(carried.calcs(), code);
    }

    /** How the partition of a node's rows is identified; {@code null} when nothing needs to be discarded. */
    private Partition partition(final FlowNode node)
    {
        final Integer column = forgotten.column(node);
        return column == null ? null :
            new Partition(column, node.rows().types().get(column), forgotten.inputs(node, sources));
    }

    /** The partition after the filters and projections above a node. */
    private Partition.Carried partition(final FlowNode node, final List<FlowNode.Calc> calcs)
    {
        final Partition partition = partition(node);
        return partition == null ? new Partition.Carried(calcs, null) : partition.through(calcs);
    }

    /** Pushes filters and projections above a time window below it; other windows count all rows. */
    private Edge window(final FlowNode.Window window, final Edge edge)
    {
        final WindowSpec spec = window.window();
        final long rangeNs = RangeWindowCode.rangeNs(spec);
        if (rangeNs >= 0 && !edge.consumer().wantsLeaving() && !edge.consumer().wantsNet() ||
            edge.consumer() instanceof GroupCode group && group.hasWindow())
        {
            return edge;
        }
        final Partition.Carried carried = partition(window, edge.calcs());
        if (spec instanceof WindowSpec.Range range && rangeNs < 0)
        {
            return new Edge(carried.calcs(),
                add(new SlideWindowCode(unit, range, netted(edge.consumer()), carried.partition())));
        }
        if (rangeNs >= 0)
        {
            return new Edge(carried.calcs(), add(new RangeWindowCode(unit, rangeNs,
                rangeNs == RangeWindowCode.UNBOUNDED ? edge.consumer() : netted(edge.consumer()),
                carried.partition())));
        }
        if (spec instanceof WindowSpec.User user)
        {
            return new Edge(carried.calcs(),
                add(new UserWindowCode(unit, user, netted(edge.consumer()), carried.partition())));
        }
        final Partition partition = partition(window);
        final List<CqlType> types = window.rows().types();
        final Edge above = new Edge(edge.calcs(), netted(edge.consumer()));
        if (spec instanceof WindowSpec.Partition keyed)
        {
            final ConsumerCode code = add(new KeyedWindowCode(unit, keyed, types, above, partition,
                forgotten.canBeIdle()));
            return new Edge(List.of(),
                keyed.slideNs() > 0 ? add(new TickCode(unit, keyed.slideNs(), code, partition)) : code);
        }
        return new Edge(List.of(), spec instanceof WindowSpec.Rows rows ?
            add(new RowsWindowCode(unit, rows, types, above)) : spec instanceof WindowSpec.ValueRange values ?
            add(new ValueWindowCode(unit, values, types, above)) : spec instanceof WindowSpec.Session session ?
            add(new SessionWindowCode(unit, session, types, above, partition)) :
            add(new UntilWindowCode(unit, ((WindowSpec.Until)spec).column(), types, above, partition)));
    }

    private <T extends OperatorCode> T add(final T operator)
    {
        operators.add(operator);
        return operator;
    }

    private void set(final FlowNode.SetOperation set, final FlowNode input, final List<Edge> edges)
    {
        final List<Edge> left = new ArrayList<>();
        final List<Edge> right = new ArrayList<>();
        if (set.kind() == FlowNode.SetKind.UNION_ALL)
        {
            left.addAll(unions.computeIfAbsent(set, this::union));
            right.addAll(left);
        }
        else
        {
            final SetCode code = sets.computeIfAbsent(set, each -> set(each, set.kind()));
            left.add(new Edge(List.of(), code.side(true)));
            right.add(new Edge(List.of(), code.side(false)));
        }
        if (set.left() == input)
        {
            edges.addAll(left);
        }
        if (set.right() == input)
        {
            edges.addAll(right);
        }
    }

    /** The readers of both sides of a UNION ALL, when their code may be written twice. */
    private List<Edge> union(final FlowNode set)
    {
        final List<Edge> direct = new ArrayList<>();
        final List<Edge> others = new ArrayList<>();
        for (final Edge edge : edges(set))
        {
            final Edge netted = properties.isStream(set) ? edge : new Edge(edge.calcs(), netted(edge.consumer()));
            final boolean isPlain = netted.consumer() instanceof OutputCode ||
                netted.consumer() instanceof NetCode || set.rows().size() > MOST_PARAMETERS;
            (isPlain ? direct : others).add(netted);
        }
        ofInstant(others).forEach((isOfInstant, part) -> direct.add(new Edge(List.of(), add(new UnionCode(
            unit, set.rows().types(), new Readers(part, set.rows().types()), isOfInstant)))));
        return direct;
    }

    /** Edges whose readers accept rows of the instant as a stream, and the others, if any. */
    private static Map<Boolean, List<Edge>> ofInstant(final List<Edge> edges)
    {
        return edges.stream().collect(Collectors.groupingBy(edge -> edge.consumer().isOfInstant()));
    }

    /** DISTINCT has no kind of set operation. */
    private SetCode set(final FlowNode node, final FlowNode.SetKind kind)
    {
        return add(new SetCode(unit, node.rows().types(), kind, readers(node, true)));
    }

    /**
     * The readers of a node.
     *
     * @param isNet whether its changes are net, except for projections
     */
    private Readers readers(final FlowNode node, final boolean isNet)
    {
        return readers(edges(node), node.rows().types(), isNet);
    }

    private Readers readers(final List<Edge> edges, final List<CqlType> types, final boolean isNet)
    {
        return new Readers(edges.stream().map(edge ->
            isNet && edge.calcs().stream().allMatch(calc -> calc.fields() == null) ? edge :
            new Edge(edge.calcs(), netted(edge.consumer()))).toList(), types);
    }

    private ConsumerCode stream(final FlowNode.ToStream stream)
    {
        final List<CqlType> types = stream.rows().types();
        if (!stream.difference().isEmpty())
        {
            return add(new DifferenceCode(unit, stream, new Readers(edges(stream), types)));
        }
        if (stream.kind() != FlowNode.StreamKind.RSTREAM)
        {
            return new StreamCode(stream.kind() == FlowNode.StreamKind.ISTREAM, true, types, edges(stream));
        }
        return properties.isOfInstant(stream.input()) ? new StreamCode(true, false, types, edges(stream)) :
            add(new WholeCode(unit, types, new Readers(edges(stream), types)));
    }

    /** How rows leave the input of a node. */
    private Leaving leaving(final FlowNode node)
    {
        if (properties.isGrowing(node))
        {
            return Leaving.NEVER;
        }
        FlowNode origin = node;
        while (origin instanceof FlowNode.Calc calc)
        {
            origin = calc.input();
        }
        return origin instanceof FlowNode.Window ? Leaving.REMEMBERED : Leaving.BY_VALUE;
    }

    private List<Edge> netted(final List<Edge> edges)
    {
        return edges.stream().map(edge -> new Edge(edge.calcs(), netted(edge.consumer()))).toList();
    }

    /** A reader that requires net changes of a relation in which equal rows may enter and leave in one instant. */
    private ConsumerCode netted(final ConsumerCode consumer)
    {
        if (!consumer.wantsNet())
        {
            return consumer;
        }
        return add(new NetCode(unit, consumer));
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

    /** A join for readers of its pairs as rows of the instant, and one for readers that need enters and leaves. */
    private List<JoinSides> joins(final FlowNode.Join join)
    {
        final List<JoinSides> known = joins.get(join);
        if (known != null)
        {
            return known;
        }
        final List<JoinSides> codes = new ArrayList<>();
        final Map<Boolean, List<Edge>> parts = ofInstant(edges(join));
        final boolean isScan = !parts.containsKey(true) && ScanJoinCode.isSupported(join, forgotten.nodes());
        parts.forEach((isOfInstant, edges) -> codes.add(isOfInstant ?
            add(new JoinCode(unit, join, forgotten.nodes(), edges,
                properties.isOfInstant(join.left()) ? join.left() : join.right())) : isScan ?
            add(new ScanJoinCode(unit, join, new Readers(netted(edges), join.rows().types()))) :
            add(new JoinCode(unit, join, forgotten.nodes(), properties.isGrowing(join) ? edges : netted(edges),
                sources.size() > 1 && !forgotten.canForget()))));
        joins.put(join, codes);
        return codes;
    }

    private List<Edge> sorts(final FlowNode.Sort sort)
    {
        return sorts.computeIfAbsent(sort, node ->
        {
            final List<Edge> codes = new ArrayList<>();
            ofInstant(edges(node)).forEach((isOfInstant, edges) -> codes.add(new Edge(List.of(), add(SortCode.of(
                unit, sort, properties.isStream(sort), isOfInstant, readers(edges, sort.rows().types(), true))))));
            return codes;
        });
    }

    private List<Edge> pulls(final FlowNode.Pull pull)
    {
        return pulls.computeIfAbsent(pull, node ->
        {
            final List<Edge> codes = new ArrayList<>();
            ofInstant(edges(node)).forEach((isOfInstant, edges) -> codes.add(new Edge(List.of(), add(new PullCode(
                unit, pull, properties.isGrowing(pull) ? edges : edges.stream().map(edge -> new Edge(edge.calcs(),
                netted(edge.consumer()))).toList(), isOfInstant, leaving(pull.input()))))));
            return codes;
        });
    }

    private ConsumerCode make(final FlowNode node)
    {
        if (node instanceof FlowNode.Group group)
        {
            final List<Edge> edges = edges(group).stream().map(edge -> GroupCode.keepsKeys(group, edge.calcs()) ? edge :
                new Edge(edge.calcs(), netted(edge.consumer()))).toList();
            return add(new GroupCode(unit, group, GroupInput.of(group, properties, forgotten.nodes()), edges,
                partition(group), forgotten.canBeIdle()));
        }
        if (node instanceof FlowNode.ToStream stream)
        {
            return stream(stream);
        }
        if (node instanceof FlowNode.Distinct distinct)
        {
            return set(distinct, null).side(true);
        }
        if (node instanceof FlowNode.Evaluate evaluate)
        {
            return add(new EvaluateCode(
                unit, evaluate.rows().types(), evaluate.periodNs(), properties.isGrowing(evaluate.input()),
                readers(evaluate, true)));
        }
        if (node instanceof FlowNode.TopN top)
        {
            return add(new TopCode(unit, top, leaving(top.input()), readers(top, properties.isGrowing(top.input()))));
        }
        throw new IllegalStateException("operator without code generator, node=" + node.getClass().getSimpleName());
    }
}
