package dev.millrace.cql.planner.ordering;

import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowNodeCopier;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.FlowRoute;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The two steps of a flow that several engines run although its result needs rows of all of them. In the first step,
 * each engine processes a part of the rows. In the second step, one more engine processes the changes that these
 * engines emit, instant by instant. A change is a row with its kind and time; relations between the steps are bags.
 *
 * <p>Not thread-safe.
 */
public final class TwoPhasePlanner
{
    private final FlowPlan plan;
    private final DistributionAnalysis placements;
    /** Outputs of the first step that the second step reads, in order of discovery. */
    private final List<FlowNode> parts = new ArrayList<>();
    private final List<EventType> types = new ArrayList<>();
    /** Parts that were derived from a node. */
    private final Map<FlowNode, FlowNode> made = new IdentityHashMap<>();

    private TwoPhasePlanner(final FlowPlan plan)
    {
        this.plan = plan;
        final Map<FlowNode.Source, Expression> split = new IdentityHashMap<>();
        for (int i = 0; i < plan.sources().size(); i++)
        {
            if (plan.routes().get(i).kind() == FlowRoute.Kind.VALUE)
            {
                split.put(plan.sources().get(i), plan.routes().get(i).value());
            }
        }
        placements = new DistributionAnalysis("", split, node -> plan.name(), true);
    }

    /**
     * Finds the steps of a flow.
     *
     * @param plan plan from the planner
     * @return {@code null} if each engine can compute its part of the result alone
     */
    public static TwoPhasePlanner of(final FlowPlan plan)
    {
        if (plan.ordering() != OrderingConstraint.PARTITION_ORDERED)
        {
            return null;
        }
        final TwoPhasePlanner steps = new TwoPhasePlanner(plan);
        steps.merging(1);
        return steps.parts.isEmpty() ? null : steps;
    }

    /** Whether the steps of a flow can be found. */
    public static boolean areFound(final FlowPlan plan)
    {
        try
        {
            of(plan);
            return true;
        }
        catch (final CqlRuleException refusal)
        {
            return false;
        }
    }

    /**
     * Row types of the changes between the steps.
     *
     * @return types of the rows; each has the name of the query of {@link #apart()} that emits them
     */
    public List<EventType> types()
    {
        return List.copyOf(types);
    }

    /**
     * The first step, which several engines run in parallel.
     *
     * @return a flow of the same sources
     */
    public FlowPlan apart()
    {
        final List<FlowPlan.Output> outputs = new ArrayList<>();
        plan.outputs().stream().filter(output -> !placements.of(output.input()).merged()).forEach(outputs::add);
        for (int i = 0; i < parts.size(); i++)
        {
            outputs.add(new FlowPlan.Output(types.get(i).name(), parts.get(i), false, types.get(i)));
        }
        return new FlowPlan(plan.name(), plan.sources(), outputs, plan.ordering(), plan.routes());
    }

    /**
     * The second step, for one engine.
     *
     * @param engines number of engines that run the first step
     * @return a flow whose sources are the parts of {@link #types()}, each part once per engine
     */
    public FlowPlan merging(final int engines)
    {
        final Merging step = new Merging(engines);
        final List<FlowPlan.Output> outputs = new ArrayList<>();
        for (final FlowPlan.Output output : plan.outputs())
        {
            if (placements.of(output.input()).merged())
            {
                outputs.add(new FlowPlan.Output(
                    output.queryId(), step.node(output.input()), output.stream(), output.type()));
            }
        }
        return new FlowPlan(plan.name(), step.sources, outputs);
    }

    private int index(final FlowNode part)
    {
        for (int i = 0; i < parts.size(); i++)
        {
            if (parts.get(i) == part)
            {
                return i;
            }
        }
        parts.add(part);
        final EventProperty[] columns = new EventProperty[part.rows().size()];
        for (int column = 0; column < columns.length; column++)
        {
            columns[column] = new EventProperty("c" + column, part.rows().types().get(column));
        }
        types.add(EventType.tuple(plan.name() + "/part" + parts.size(), columns));
        return parts.size() - 1;
    }

    /** One attempt to construct the second step. */
    private final class Merging
    {
        private final int engines;
        private final List<FlowNode.Source> sources = new ArrayList<>();
        private final Map<Integer, FlowNode> parts = new HashMap<>();
        private final Map<FlowNode, FlowNode> known = new IdentityHashMap<>();

        Merging(final int engines)
        {
            this.engines = engines;
        }

        FlowNode node(final FlowNode node)
        {
            FlowNode made = known.get(node);
            if (made == null)
            {
                made = make(node);
                known.put(node, made);
            }
            return made;
        }

        private FlowNode make(final FlowNode node)
        {
            if (!placements.of(node).merged())
            {
                return part(node);
            }
            final ExtremeRowRewrite rows = ExtremeRowRewrite.of(node, placements::of);
            if (rows != null)
            {
                return rows.whole(part(made.computeIfAbsent(node, any -> rows.part())));
            }
            final PartialAggregation group = PartialAggregation.of(node, placements::of);
            return group != null ? group.whole(part(made.computeIfAbsent(node, any -> group.part()))) :
                FlowNodeCopier.with(node, node.inputs().stream().map(this::node).toList());
        }

        private FlowNode part(final FlowNode part)
        {
            return parts.computeIfAbsent(index(part), this::ofAll);
        }

        private FlowNode ofAll(final int index)
        {
            FlowNode all = null;
            for (int i = 0; i < engines; i++)
            {
                final FlowNode part = TwoPhasePlanner.this.parts.get(index);
                final List<Integer> key = part instanceof FlowNode.Group group ?
                    IntStream.range(0, group.keys().size()).boxed().toList() : List.of();
                final FlowNode.Source source = new FlowNode.Source(types.get(index).name() +
                    (engines == 1 ? "" : " of " + (i + 1)), types.get(index), part.rows(), true, key,
                    FlowNode.TimeKind.APPLICATION, false, false);
                sources.add(source);
                all = all == null ? source : new FlowNode.SetOperation(FlowNode.SetKind.UNION_ALL, all, source);
            }
            return all;
        }
    }
}
