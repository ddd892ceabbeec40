package dev.millrace.cql.compiler.unit;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.unit.code.PartitionColumn;
import dev.millrace.cql.compiler.unit.code.ReaderEdge;
import dev.millrace.cql.compiler.unit.code.RowConsumer;
import dev.millrace.cql.compiler.unit.code.RowExpiry;
import dev.millrace.cql.compiler.unit.code.RowReaders;
import dev.millrace.cql.compiler.unit.code.UnitOperatorGenerator;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.compiler.unit.group.GroupGenerator;
import dev.millrace.cql.compiler.unit.group.GroupInput;
import dev.millrace.cql.compiler.unit.join.JoinGenerator;
import dev.millrace.cql.compiler.unit.join.JoinSides;
import dev.millrace.cql.compiler.unit.join.LookupJoinGenerator;
import dev.millrace.cql.compiler.unit.join.ScanJoinGenerator;
import dev.millrace.cql.compiler.unit.output.DifferenceGenerator;
import dev.millrace.cql.compiler.unit.output.EvaluateGenerator;
import dev.millrace.cql.compiler.unit.output.NetChangeGenerator;
import dev.millrace.cql.compiler.unit.output.OutputGenerator;
import dev.millrace.cql.compiler.unit.output.RStreamGenerator;
import dev.millrace.cql.compiler.unit.output.RelationToStreamGenerator;
import dev.millrace.cql.compiler.unit.set.SetGenerator;
import dev.millrace.cql.compiler.unit.set.SortGenerator;
import dev.millrace.cql.compiler.unit.set.TopNGenerator;
import dev.millrace.cql.compiler.unit.set.UnionGenerator;
import dev.millrace.cql.compiler.unit.window.PartitionedWindowGenerator;
import dev.millrace.cql.compiler.unit.window.RangeWindowGenerator;
import dev.millrace.cql.compiler.unit.window.RelationInputGenerator;
import dev.millrace.cql.compiler.unit.window.RowsWindowGenerator;
import dev.millrace.cql.compiler.unit.window.SessionWindowGenerator;
import dev.millrace.cql.compiler.unit.window.SlideBufferGenerator;
import dev.millrace.cql.compiler.unit.window.SlideWindowGenerator;
import dev.millrace.cql.compiler.unit.window.SourceGenerator;
import dev.millrace.cql.compiler.unit.window.StreamAlignmentGenerator;
import dev.millrace.cql.compiler.unit.window.TimestampedGenerator;
import dev.millrace.cql.compiler.unit.window.UntilWindowGenerator;
import dev.millrace.cql.compiler.unit.window.UserWindowGenerator;
import dev.millrace.cql.compiler.unit.window.ValueWindowGenerator;
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

    private final UnitSource unit;
    private final FlowProperties properties;
    private final List<FlowPlan.Output> outputs;
    private final DiscardSupport forgotten;
    private final Map<FlowNode, List<FlowNode>> readers = new IdentityHashMap<>();
    private final List<FlowNode.Source> sources = new ArrayList<>();
    private final Map<FlowNode, RowConsumer> made = new IdentityHashMap<>();
    private final Map<FlowNode, List<JoinSides>> joins = new IdentityHashMap<>();
    private final Map<FlowNode, List<ReaderEdge>> sorts = new IdentityHashMap<>();
    private final Map<FlowNode, List<ReaderEdge>> pulls = new IdentityHashMap<>();
    private final Map<FlowNode, SetGenerator> sets = new IdentityHashMap<>();
    private final Map<FlowNode, List<ReaderEdge>> unions = new IdentityHashMap<>();
    /** Readers first. */
    private final List<UnitOperatorGenerator> operators = new ArrayList<>();

    UnitBuilder(final UnitSource unit, final FlowProperties properties, final List<FlowPlan.Output> outputs,
        final DiscardSupport forgotten)
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
    List<UnitOperatorGenerator> build()
    {
        final boolean hasInstants = outputs.stream().flatMap(output -> FlowNode.upstream(output.input()).stream())
            .anyMatch(node -> !(node instanceof FlowNode.Source source ? !source.relation() :
                node instanceof FlowNode.Calc));
        final SourceGenerator.Clock clock = !hasInstants ? SourceGenerator.Clock.ROWS :
            sources.size() > 1 || forgotten.canForget() ? SourceGenerator.Clock.WAITING :
                SourceGenerator.Clock.INSTANTS;
        for (int i = sources.size() - 1; i >= 0; i--)
        {
            final List<ReaderEdge> edges = sources.get(i).relation() ? List.of(relation(sources.get(i))) :
                edges(sources.get(i));
            final int input = i;
            operators.add(new SourceGenerator(unit, sources.get(i), i, clock == SourceGenerator.Clock.WAITING ?
                edges.stream().map(edge -> waiting(input, edge)).toList() : edges, clock));
        }
        Collections.reverse(operators);
        return operators;
    }

    private ReaderEdge relation(final FlowNode.Source source)
    {
        return new ReaderEdge(List.of(), add(new RelationInputGenerator(unit, source, readers(source, false))));
    }

    /** The readers of a node: through filters and projections, and through windows. */
    private List<ReaderEdge> edges(final FlowNode node)
    {
        final List<ReaderEdge> edges = new ArrayList<>();
        for (int i = 0; i < outputs.size(); i++)
        {
            if (outputs.get(i).input() == node)
            {
                edges.add(new ReaderEdge(List.of(),
                    new OutputGenerator(unit, i, node.rows().types(), outputs.get(i).stream())));
            }
        }
        for (final FlowNode reader : readers.getOrDefault(node, List.of()))
        {
            if (reader instanceof FlowNode.Calc calc)
            {
                edges(reader).forEach(edge -> edges.add(new ReaderEdge(
                    Stream.concat(Stream.of(calc), edge.calcs().stream()).toList(), edge.consumer())));
            }
            else if (reader instanceof FlowNode.Window window)
            {
                edges(reader).forEach(edge ->
                    edges.add(edge.consumer().isOfInstant() ? edge : window(window, edge)));
            }
            else if (reader instanceof FlowNode.Timed)
            {
                edges(reader).forEach(edge -> edges.add(new ReaderEdge(List.of(),
                    new TimestampedGenerator(node.rows().types(), reader.rows().types(), edge))));
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
                        edges.add(new ReaderEdge(List.of(), code.left()));
                    }
                    if (join.right() == node)
                    {
                        edges.add(new ReaderEdge(List.of(), code.right()));
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
                edges.add(new ReaderEdge(List.of(), consumer(reader)));
            }
        }
        return edges;
    }

    /** Rows that wait for other rows; those of a partition to discard wait as well. */
    private ReaderEdge waiting(final int input, final ReaderEdge edge)
    {
        final PartitionColumn.Carried carried = partition(sources.get(input), edge.calcs());
        if (carried.partition() == null && edge.consumer() instanceof SlideWindowGenerator window)
        {
            window.readSource();
            return edge;
        }
        final StreamAlignmentGenerator code = new StreamAlignmentGenerator(unit, input, edge.consumer(),
            carried.partition());
        operators.add(code);
        return new ReaderEdge(carried.calcs(), code);
    }

    /** How the partition of a node's rows is identified; {@code null} when nothing needs to be discarded. */
    private PartitionColumn partition(final FlowNode node)
    {
        final Integer column = forgotten.column(node);
        return column == null ? null :
            new PartitionColumn(column, node.rows().types().get(column), forgotten.inputs(node, sources));
    }

    /** The partition after the filters and projections above a node. */
    private PartitionColumn.Carried partition(final FlowNode node, final List<FlowNode.Calc> calcs)
    {
        final PartitionColumn partition = partition(node);
        return partition == null ? new PartitionColumn.Carried(calcs, null) : partition.through(calcs);
    }

    /** Pushes filters and projections above a time window below it; other windows count all rows. */
    private ReaderEdge window(final FlowNode.Window window, final ReaderEdge edge)
    {
        final WindowSpec spec = window.window();
        final long rangeNs = RangeWindowGenerator.rangeNs(spec);
        if (rangeNs >= 0 && !edge.consumer().wantsLeaving() && !edge.consumer().wantsNet() ||
            edge.consumer() instanceof GroupGenerator group && group.hasWindow())
        {
            return edge;
        }
        final PartitionColumn.Carried carried = partition(window, edge.calcs());
        if (spec instanceof WindowSpec.Range range && rangeNs < 0)
        {
            return new ReaderEdge(carried.calcs(),
                add(new SlideWindowGenerator(unit, range, netted(edge.consumer()), carried.partition())));
        }
        if (rangeNs >= 0)
        {
            return new ReaderEdge(carried.calcs(), add(new RangeWindowGenerator(unit, rangeNs,
                rangeNs == RangeWindowGenerator.UNBOUNDED ? edge.consumer() : netted(edge.consumer()),
                carried.partition())));
        }
        if (spec instanceof WindowSpec.User user)
        {
            return new ReaderEdge(carried.calcs(),
                add(new UserWindowGenerator(unit, user, netted(edge.consumer()), carried.partition())));
        }
        final PartitionColumn partition = partition(window);
        final List<CqlType> types = window.rows().types();
        final ReaderEdge above = new ReaderEdge(edge.calcs(), netted(edge.consumer()));
        if (spec instanceof WindowSpec.Partition keyed)
        {
            final RowConsumer code = add(new PartitionedWindowGenerator(unit, keyed, types, above, partition,
                forgotten.canBeIdle()));
            return new ReaderEdge(List.of(),
                keyed.slideNs() > 0 ? add(new SlideBufferGenerator(unit, keyed.slideNs(), code, partition)) : code);
        }
        return new ReaderEdge(List.of(), spec instanceof WindowSpec.Rows rows ?
            add(new RowsWindowGenerator(unit, rows, types, above)) : spec instanceof WindowSpec.ValueRange values ?
            add(new ValueWindowGenerator(unit, values, types, above)) : spec instanceof WindowSpec.Session session ?
            add(new SessionWindowGenerator(unit, session, types, above, partition)) :
            add(new UntilWindowGenerator(unit, ((WindowSpec.Until)spec).column(), types, above, partition)));
    }

    private <T extends UnitOperatorGenerator> T add(final T operator)
    {
        operators.add(operator);
        return operator;
    }

    private void set(final FlowNode.SetOperation set, final FlowNode input, final List<ReaderEdge> edges)
    {
        final List<ReaderEdge> left = new ArrayList<>();
        final List<ReaderEdge> right = new ArrayList<>();
        if (set.kind() == FlowNode.SetKind.UNION_ALL)
        {
            left.addAll(unions.computeIfAbsent(set, this::union));
            right.addAll(left);
        }
        else
        {
            final SetGenerator code = sets.computeIfAbsent(set, each -> set(each, set.kind()));
            left.add(new ReaderEdge(List.of(), code.side(true)));
            right.add(new ReaderEdge(List.of(), code.side(false)));
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
    private List<ReaderEdge> union(final FlowNode set)
    {
        final List<ReaderEdge> direct = new ArrayList<>();
        final List<ReaderEdge> others = new ArrayList<>();
        for (final ReaderEdge edge : edges(set))
        {
            final ReaderEdge netted = properties.isStream(set) ? edge :
                new ReaderEdge(edge.calcs(), netted(edge.consumer()));
            final boolean isPlain = netted.consumer() instanceof OutputGenerator ||
                netted.consumer() instanceof NetChangeGenerator || set.rows().size() > MOST_PARAMETERS;
            (isPlain ? direct : others).add(netted);
        }
        ofInstant(others).forEach((isOfInstant, part) -> direct.add(new ReaderEdge(List.of(), add(new UnionGenerator(
            unit, set.rows().types(), new RowReaders(part, set.rows().types()), isOfInstant)))));
        return direct;
    }

    /** Edges whose readers accept rows of the instant as a stream, and the others, if any. */
    private static Map<Boolean, List<ReaderEdge>> ofInstant(final List<ReaderEdge> edges)
    {
        return edges.stream().collect(Collectors.groupingBy(edge -> edge.consumer().isOfInstant()));
    }

    /** DISTINCT has no kind of set operation. */
    private SetGenerator set(final FlowNode node, final FlowNode.SetKind kind)
    {
        return add(new SetGenerator(unit, node.rows().types(), kind, readers(node, true)));
    }

    /**
     * The readers of a node.
     *
     * @param isNet whether its changes are net, except for projections
     */
    private RowReaders readers(final FlowNode node, final boolean isNet)
    {
        return readers(edges(node), node.rows().types(), isNet);
    }

    private RowReaders readers(final List<ReaderEdge> edges, final List<CqlType> types, final boolean isNet)
    {
        return new RowReaders(edges.stream().map(edge ->
            isNet && edge.calcs().stream().allMatch(calc -> calc.fields() == null) ? edge :
            new ReaderEdge(edge.calcs(), netted(edge.consumer()))).toList(), types);
    }

    private RowConsumer stream(final FlowNode.ToStream stream)
    {
        final List<CqlType> types = stream.rows().types();
        if (!stream.difference().isEmpty())
        {
            return add(new DifferenceGenerator(unit, stream, new RowReaders(edges(stream), types)));
        }
        if (stream.kind() != FlowNode.StreamKind.RSTREAM)
        {
            return new RelationToStreamGenerator(stream.kind() == FlowNode.StreamKind.ISTREAM, true, types,
                edges(stream));
        }
        return properties.isOfInstant(stream.input()) ?
            new RelationToStreamGenerator(true, false, types, edges(stream)) :
            add(new RStreamGenerator(unit, types, new RowReaders(edges(stream), types)));
    }

    /** How rows leave the input of a node. */
    private RowExpiry leaving(final FlowNode node)
    {
        if (properties.isGrowing(node))
        {
            return RowExpiry.NEVER;
        }
        FlowNode origin = node;
        while (origin instanceof FlowNode.Calc calc)
        {
            origin = calc.input();
        }
        return origin instanceof FlowNode.Window ? RowExpiry.REMEMBERED : RowExpiry.BY_VALUE;
    }

    private List<ReaderEdge> netted(final List<ReaderEdge> edges)
    {
        return edges.stream().map(edge -> new ReaderEdge(edge.calcs(), netted(edge.consumer()))).toList();
    }

    /** A reader that requires net changes of a relation in which equal rows may enter and leave in one instant. */
    private RowConsumer netted(final RowConsumer consumer)
    {
        if (!consumer.wantsNet())
        {
            return consumer;
        }
        return add(new NetChangeGenerator(unit, consumer));
    }

    private RowConsumer consumer(final FlowNode node)
    {
        final RowConsumer known = made.get(node);
        if (known != null)
        {
            return known;
        }
        final RowConsumer code = make(node);
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
        final Map<Boolean, List<ReaderEdge>> parts = ofInstant(edges(join));
        final boolean isScan = !parts.containsKey(true) && ScanJoinGenerator.isSupported(join, forgotten.nodes());
        parts.forEach((isOfInstant, edges) -> codes.add(isOfInstant ?
            add(new JoinGenerator(unit, join, forgotten.nodes(), edges,
                properties.isOfInstant(join.left()) ? join.left() : join.right())) : isScan ?
            add(new ScanJoinGenerator(unit, join, new RowReaders(netted(edges), join.rows().types()))) :
            add(new JoinGenerator(unit, join, forgotten.nodes(), properties.isGrowing(join) ? edges : netted(edges),
                sources.size() > 1 && !forgotten.canForget()))));
        joins.put(join, codes);
        return codes;
    }

    private List<ReaderEdge> sorts(final FlowNode.Sort sort)
    {
        return sorts.computeIfAbsent(sort, node ->
        {
            final List<ReaderEdge> codes = new ArrayList<>();
            ofInstant(edges(node)).forEach((isOfInstant, edges) ->
                codes.add(new ReaderEdge(List.of(), add(SortGenerator.of(
                unit, sort, properties.isStream(sort), isOfInstant, readers(edges, sort.rows().types(), true))))));
            return codes;
        });
    }

    private List<ReaderEdge> pulls(final FlowNode.Pull pull)
    {
        return pulls.computeIfAbsent(pull, node ->
        {
            final List<ReaderEdge> codes = new ArrayList<>();
            ofInstant(edges(node)).forEach((isOfInstant, edges) ->
                codes.add(new ReaderEdge(List.of(), add(new LookupJoinGenerator(
                unit, pull, properties.isGrowing(pull) ? edges : edges.stream().map(edge -> new ReaderEdge(edge.calcs(),
                netted(edge.consumer()))).toList(), isOfInstant, leaving(pull.input()))))));
            return codes;
        });
    }

    private RowConsumer make(final FlowNode node)
    {
        if (node instanceof FlowNode.Group group)
        {
            final List<ReaderEdge> edges =
                edges(group).stream().map(edge -> GroupGenerator.keepsKeys(group, edge.calcs()) ? edge :
                new ReaderEdge(edge.calcs(), netted(edge.consumer()))).toList();
            return add(new GroupGenerator(unit, group, GroupInput.of(group, properties, forgotten.nodes()), edges,
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
            return add(new EvaluateGenerator(
                unit, evaluate.rows().types(), evaluate.periodNs(), properties.isGrowing(evaluate.input()),
                readers(evaluate, true)));
        }
        if (node instanceof FlowNode.TopN top)
        {
            return add(new TopNGenerator(unit, top, leaving(top.input()),
                readers(top, properties.isGrowing(top.input()))));
        }
        throw new IllegalStateException("operator without code generator, node=" + node.getClass().getSimpleName());
    }
}
