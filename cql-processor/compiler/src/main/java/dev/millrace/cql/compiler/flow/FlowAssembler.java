package dev.millrace.cql.compiler.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.unit.CompiledUnit;
import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.FlowProperties;
import dev.millrace.cql.plan.flow.WindowSpec;
import dev.millrace.cql.runtime.flow.Calc;
import dev.millrace.cql.runtime.flow.CalcOperator;
import dev.millrace.cql.runtime.flow.ElementRows;
import dev.millrace.cql.runtime.flow.EvaluateOperator;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.cql.runtime.flow.FlowOperator;
import dev.millrace.cql.runtime.flow.FlowRegion;
import dev.millrace.cql.runtime.flow.FlowSource;
import dev.millrace.cql.runtime.flow.GroupOperator;
import dev.millrace.cql.runtime.flow.JoinOperator;
import dev.millrace.cql.runtime.flow.NowJoinOperator;
import dev.millrace.cql.runtime.flow.OutputOperator;
import dev.millrace.cql.runtime.flow.PartitionWindow;
import dev.millrace.cql.runtime.flow.PullOperator;
import dev.millrace.cql.runtime.flow.PullSource;
import dev.millrace.cql.runtime.flow.RangeWindow;
import dev.millrace.cql.runtime.flow.ReplayOperator;
import dev.millrace.cql.runtime.flow.RowLayout;
import dev.millrace.cql.runtime.flow.RowOrder;
import dev.millrace.cql.runtime.flow.RowStore;
import dev.millrace.cql.runtime.flow.RowsWindow;
import dev.millrace.cql.runtime.flow.SessionWindow;
import dev.millrace.cql.runtime.flow.SetOperator;
import dev.millrace.cql.runtime.flow.SlideWindow;
import dev.millrace.cql.runtime.flow.SortOperator;
import dev.millrace.cql.runtime.flow.SourceOperator;
import dev.millrace.cql.runtime.flow.StreamOperator;
import dev.millrace.cql.runtime.flow.TimeOperator;
import dev.millrace.cql.runtime.flow.TopOperator;
import dev.millrace.cql.runtime.flow.UnionAllOperator;
import dev.millrace.cql.runtime.flow.UnitSlot;
import dev.millrace.cql.runtime.flow.UntilWindow;
import dev.millrace.cql.runtime.flow.UserWindow;
import dev.millrace.cql.runtime.flow.ValueWindow;
import dev.millrace.cql.runtime.flow.WholeOperator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Puts the operators of one engine together. Outputs that hang on the same inputs share a region and its operators;
 * others must not wait for each other's inputs, so a node that they share is built for each.
 *
 * <p>Used once, by one thread.
 */
final class FlowAssembler
{
    /** Aggregates whose value depends on the order of rows, so that of equal rows the right one must leave. */
    private static final Set<String> IN_ORDER = Set.of("first", "last", "listagg", "xmlagg");

    private final FlowPlan plan;
    private final FlowProperties properties;
    private final RowLayouts layouts;
    private final FlowCalcs indexes;
    private final FlowPatterns patterns;
    private final Calc[] calcs;
    private final FlowBindings bindings;
    private final Map<FlowNode, Integer> columns;
    /** Operators that keep rows of each channel that is shared out. */
    private final Map<FlowNode, List<FlowOperator>> keepers = new IdentityHashMap<>();
    private final Map<FlowNode.Source, FlowSource> sources = new IdentityHashMap<>();
    private final List<FlowSource> sourceList = new ArrayList<>();
    private final Map<Set<FlowNode>, Region> regions = new LinkedHashMap<>();
    /** Patterns that take the batches of a channel. */
    private final List<UnitSlot> patternUnits = new ArrayList<>();

    /** Operators of one region, inputs first. */
    private static final class Region
    {
        private final Map<FlowNode, FlowOperator> built = new IdentityHashMap<>();
        /** Nodes over {@code [now]} under RSTREAM: they give the rows of the instant and forget them. */
        private final Map<FlowNode, FlowOperator> builtOfInstants = new IdentityHashMap<>();
        private final List<FlowOperator> operators = new ArrayList<>();
    }

    FlowAssembler(final FlowPlan plan, final FlowProperties properties, final FlowCalcs indexes,
        final FlowPatterns patterns, final Calc[] calcs, final FlowBindings bindings,
        final Map<FlowNode, Integer> columns)
    {
        this.columns = columns;
        this.plan = plan;
        this.properties = properties;
        layouts = new RowLayouts(properties);
        this.indexes = indexes;
        this.patterns = patterns;
        this.calcs = calcs;
        this.bindings = bindings;
    }

    /**
     * Makes the engine.
     *
     * @param units what computes some of the outputs
     */
    FlowEngine assemble(final List<CompiledUnit> units)
    {
        for (final FlowNode.Source source : plan.sources())
        {
            final FlowSource channel = new FlowSource(source.name(), switch (source.time())
            {
                case SYSTEM -> FlowSource.TimeKind.SYSTEM;
                case APPLICATION -> FlowSource.TimeKind.APPLICATION;
                case APPLICATION_TOTAL_ORDER -> FlowSource.TimeKind.TOTAL_ORDER;
            }, source.silent());
            sources.put(source, channel);
            sourceList.add(channel);
        }
        final Set<FlowPlan.Output> done = Collections.newSetFromMap(new IdentityHashMap<>());
        units.forEach(unit -> done.addAll(unit.outputs()));
        for (final FlowPlan.Output output : plan.outputs())
        {
            if (done.contains(output))
            {
                continue;
            }
            final Region region = region(output.input());
            final FlowOperator last = build(output.input(), region);
            region.operators.add(new OutputOperator(last, bindings.output(output.queryId(), output.stream())));
        }
        final List<FlowRegion> all = new ArrayList<>();
        regions.values().forEach(region -> all.add(new FlowRegion(region.operators)));
        final List<UnitSlot> slots = new ArrayList<>(patternUnits);
        units.forEach(unit -> slots.add(new UnitSlot(unit.instantiate(bindings),
            unit.sources().stream().map(sources::get).toList())));
        final FlowEngine engine = new FlowEngine(sourceList, all, slots, bindings.rejection());
        for (int i = 0; i < plan.sources().size(); i++)
        {
            engine.keepers(i, keepers.getOrDefault(plan.sources().get(i), List.of()));
        }
        return engine;
    }

    /** An operator that can forget partitions: of all channels whose rows come to it. */
    private void keeps(final FlowNode node, final FlowOperator operator)
    {
        final Integer column = columns.get(node);
        if (column != null)
        {
            operator.partitionColumn(column);
            FlowNode.upstream(node).stream().filter(FlowNode.Source.class::isInstance)
                .forEach(source -> keepers.computeIfAbsent(source, each -> new ArrayList<>()).add(operator));
        }
    }

    private Region region(final FlowNode node)
    {
        final Set<FlowNode> leaves = Collections.newSetFromMap(new IdentityHashMap<>());
        collectInputs(node, leaves);
        for (final FlowNode leaf : leaves)
        {
            if (leaf instanceof FlowNode.Match match && patterns.channel(match) == null)
            {
                // Regions that feed others come before them.
                region(match.input());
            }
        }
        return regions.computeIfAbsent(leaves, inputs -> new Region());
    }

    private static void collectInputs(final FlowNode node, final Set<FlowNode> leaves)
    {
        if (node instanceof FlowNode.Source || node instanceof FlowNode.Match)
        {
            leaves.add(node);
            return;
        }
        node.inputs().forEach(input -> collectInputs(input, leaves));
    }

    private FlowOperator build(final FlowNode node, final Region region)
    {
        final FlowOperator already = region.built.get(node);
        if (already != null)
        {
            return already;
        }
        final FlowOperator made;
        if (node instanceof FlowNode.ToStream stream && stream.kind() == FlowNode.StreamKind.RSTREAM &&
            properties.isOfInstant(stream.input()))
        {
            made = buildOfInstant(stream.input(), region);
        }
        else
        {
            made = make(node, region);
            if (!(node instanceof FlowNode.Match))
            {
                keeps(node, made);
            }
            region.operators.add(made);
        }
        region.built.put(node, made);
        return made;
    }

    private FlowOperator buildOfInstant(final FlowNode node, final Region region)
    {
        if (node instanceof FlowNode.Window window)
        {
            return build(window.input(), region);
        }
        final FlowOperator already = region.builtOfInstants.get(node);
        if (already != null)
        {
            return already;
        }
        final FlowOperator made = makeOfInstant(node, region);
        region.builtOfInstants.put(node, made);
        region.operators.add(made);
        return made;
    }

    private FlowOperator makeOfInstant(final FlowNode node, final Region region)
    {
        if (node instanceof FlowNode.Calc calc)
        {
            return calc(calc, buildOfInstant(calc.input(), region));
        }
        if (node instanceof FlowNode.Pull pull)
        {
            return pull(pull, buildOfInstant(pull.input(), region), false);
        }
        if (node instanceof FlowNode.Sort sort)
        {
            final FlowOperator input = buildOfInstant(sort.input(), region);
            return new SortOperator(input, order(input.store(), sort.keys()));
        }
        if (node instanceof FlowNode.SetOperation set)
        {
            return new UnionAllOperator(
                buildOfInstant(set.left(), region), buildOfInstant(set.right(), region), store(set));
        }
        final FlowNode.Join join = (FlowNode.Join)node;
        final boolean isLeft = properties.isOfInstant(join.left());
        final FlowNode now = isLeft ? join.left() : join.right();
        final FlowNode relation = isLeft ? join.right() : join.left();
        return new NowJoinOperator(buildOfInstant(now, region), build(relation, region), isLeft,
            join.kind() == FlowNode.JoinKind.LEFT, array(isLeft ? join.leftKeys() : join.rightKeys()),
            array(isLeft ? join.rightKeys() : join.leftKeys()), calc(node), store(join));
    }

    private FlowOperator calc(final FlowNode.Calc calc, final FlowOperator input)
    {
        return new CalcOperator(input, calc(calc), calc.fields() == null ? null : store(calc));
    }

    private FlowOperator pull(final FlowNode.Pull pull, final FlowOperator input, final boolean keeps)
    {
        final CqlType[] keyTypes = pull.keys().stream().map(Expression::type).toArray(CqlType[]::new);
        return new PullOperator(input, calc(pull), new RowStore(new RowLayout(keyTypes), bindings.maxRows()),
            source(pull), store(pull), keeps);
    }

    /** Functions are called with the keys: what is asked is only to be taken apart. */
    private PullSource source(final FlowNode.Pull pull)
    {
        return pull.kind() != FlowNode.PullKind.FUNCTION ?
            FlowBindings.bound(bindings.pulls(), pull.binding(), "pull source") :
            new ElementRows(pull.source(), pull.pulled().types().get(0), (Class<?>)pull.details().get(0));
    }

    private RowStore store(final FlowNode node)
    {
        return new RowStore(layouts.of(node), bindings.maxRows(), bindings.memory());
    }

    private Calc calc(final FlowNode node)
    {
        final int index = indexes.indexOf(node);
        return index < 0 ? null : calcs[index];
    }

    static int[] array(final List<Integer> values)
    {
        return values.stream().mapToInt(Integer::intValue).toArray();
    }

    private FlowOperator make(final FlowNode node, final Region region)
    {
        if (node instanceof FlowNode.Source source)
        {
            return new SourceOperator(sources.get(source), store(source), source.relation(),
                array(source.primaryKey()), source.elementTime() ? source.rows().size() - 1 : -1,
                bindings.maxRows());
        }
        if (node instanceof FlowNode.Window window)
        {
            return window(build(window.input(), region), window.window());
        }
        if (node instanceof FlowNode.Calc calc)
        {
            return calc(calc, build(calc.input(), region));
        }
        if (node instanceof FlowNode.Join join)
        {
            return new JoinOperator(build(join.left(), region), build(join.right(), region),
                join.kind() == FlowNode.JoinKind.LEFT, array(join.leftKeys()), array(join.rightKeys()), calc(node),
                store(join));
        }
        if (node instanceof FlowNode.Pull pull)
        {
            return pull(pull, build(pull.input(), region), !properties.isStream(pull.input()));
        }
        if (node instanceof FlowNode.Group group)
        {
            final FlowOperator input = build(group.input(), region);
            if (input instanceof CalcOperator calc && group.input().inputs().get(0) instanceof FlowNode.Window &&
                group.aggregates().stream().anyMatch(each -> IN_ORDER.contains(each.function())))
            {
                calc.keepResults();
            }
            return new GroupOperator(input, array(group.keys()),
                new Accumulators(bindings).make(group, group.input().rows()), store(group), bindings.maxRows(),
                bindings.idleStateNs());
        }
        return makeOther(node, region);
    }

    private FlowOperator makeOther(final FlowNode node, final Region region)
    {
        if (node instanceof FlowNode.Distinct distinct)
        {
            return new SetOperator(
                SetOperator.Kind.DISTINCT, build(distinct.input(), region), null, store(distinct));
        }
        if (node instanceof FlowNode.SetOperation set)
        {
            return set(set, build(set.left(), region), build(set.right(), region));
        }
        if (node instanceof FlowNode.Sort sort)
        {
            final FlowOperator input = build(sort.input(), region);
            return new SortOperator(input, order(input.store(), sort.keys()));
        }
        if (node instanceof FlowNode.TopN top)
        {
            final FlowOperator input = build(top.input(), region);
            return new TopOperator(input, order(input.store(), top.keys()), top.limit(), array(top.partitionBy()));
        }
        if (node instanceof FlowNode.ToStream stream)
        {
            final FlowOperator input = build(stream.input(), region);
            return stream.kind() == FlowNode.StreamKind.RSTREAM ? new WholeOperator(input) :
                new StreamOperator(input, stream.kind() == FlowNode.StreamKind.ISTREAM, array(stream.difference()));
        }
        if (node instanceof FlowNode.Timed timed)
        {
            return new TimeOperator(build(timed.input(), region), store(timed));
        }
        if (node instanceof FlowNode.Evaluate evaluate)
        {
            return new EvaluateOperator(build(evaluate.input(), region), evaluate.periodNs());
        }
        if (node instanceof FlowNode.Match match)
        {
            return match(match);
        }
        throw new IllegalStateException("node without operator, node=" + node.getClass().getSimpleName());
    }

    /** The pattern belongs to the region of its input; here its matches come in at their own times. */
    private FlowOperator match(final FlowNode.Match match)
    {
        final RowStore rows = store(match);
        final ReplayOperator target = new ReplayOperator(rows, patterns.isTimeOrdered(match));
        final FlowNode.Source channel = patterns.channel(match);
        if (channel != null)
        {
            patternUnits.add(new UnitSlot(
                patterns.makeUnit(match, rows, target, bindings), List.of(sources.get(channel))));
            return target;
        }
        final Region before = region(match.input());
        final FlowOperator input = build(match.input(), before);
        final FlowOperator pattern = patterns.make(match, input, calcs, rows, target, bindings);
        keeps(match, pattern);
        before.operators.add(pattern);
        return target;
    }

    private FlowOperator set(final FlowNode.SetOperation set, final FlowOperator left, final FlowOperator right)
    {
        final RowStore rows = store(set);
        return switch (set.kind())
        {
            case UNION_ALL -> new UnionAllOperator(left, right, rows);
            case UNION -> new SetOperator(SetOperator.Kind.UNION, left, right, rows);
            case EXCEPT -> new SetOperator(SetOperator.Kind.EXCEPT, left, right, rows);
            case MINUS -> new SetOperator(SetOperator.Kind.MINUS, left, right, rows);
            case INTERSECT -> new SetOperator(SetOperator.Kind.INTERSECT, left, right, rows);
            case IN -> new SetOperator(SetOperator.Kind.IN, left, right, rows);
            case NOT_IN -> new SetOperator(SetOperator.Kind.NOT_IN, left, right, rows);
        };
    }

    private static RowOrder order(final RowStore rows, final List<FlowNode.SortKey> keys)
    {
        final int[] columns = new int[keys.size()];
        final boolean[] descending = new boolean[keys.size()];
        final boolean[] nullsFirst = new boolean[keys.size()];
        for (int i = 0; i < columns.length; i++)
        {
            columns[i] = keys.get(i).column();
            descending[i] = keys.get(i).descending();
            nullsFirst[i] = keys.get(i).nullsFirst();
        }
        return new RowOrder(rows, columns, descending, nullsFirst);
    }

    private FlowOperator window(final FlowOperator input, final WindowSpec window)
    {
        if (window instanceof WindowSpec.Now)
        {
            return new RangeWindow(input, 1);
        }
        if (window instanceof WindowSpec.Unbounded)
        {
            return new RangeWindow(input, FlowOperator.NEVER);
        }
        if (window instanceof WindowSpec.Range range)
        {
            return range.slideNs() <= 1 ? new RangeWindow(input, range.rangeNs()) :
                new SlideWindow(input, range.rangeNs(), range.slideNs());
        }
        if (window instanceof WindowSpec.ValueRange range)
        {
            return new ValueWindow(input, range.column(), range.range());
        }
        if (window instanceof WindowSpec.Rows rows)
        {
            return new RowsWindow(input, rows.rows(), rows.slide());
        }
        if (window instanceof WindowSpec.Partition partition)
        {
            return new PartitionWindow(input, array(partition.partitionBy()), partition.rows(), partition.rangeNs(),
                partition.slideNs(), bindings.idleStateNs());
        }
        if (window instanceof WindowSpec.Until until)
        {
            return new UntilWindow(input, until.column());
        }
        if (window instanceof WindowSpec.Session session)
        {
            return new SessionWindow(input, array(session.partitionBy()), session.gapNs());
        }
        if (window instanceof WindowSpec.User user)
        {
            return new UserWindow(input, user.name(), FlowBindings.bound(bindings.windows(), user.name(), "window")
                .newWindow(user.arguments()));
        }
        throw new IllegalStateException("window without operator, window=" + window);
    }
}
