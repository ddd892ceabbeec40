package dev.millrace.cql.compiler.flow;

import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowNodeCopier;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.FlowProperties;
import dev.millrace.cql.plan.flow.FlowRoute;
import dev.millrace.cql.plan.flow.RowType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A flow split at its patterns: the input of a pattern is a separate output, unless the pattern reads a channel
 * directly, and its matches are a source of the operators above. The rest has no patterns. Immutable after
 * construction.
 *
 * <p>The input of a pattern must not depend on its own matches, so that outputs have levels: one more than the greatest
 * level among the inputs of the patterns below them.
 */
final class PatternSplitter
{
    /**
     * A pattern.
     *
     * @param matches source that replaces it
     * @param input   its input; {@code null} for a channel
     * @param level   of its input
     */
    record Cut(FlowNode.Match match, FlowNode.Source matches, FlowPlan.Output input, int level)
    {
    }

    private final FlowProperties properties;
    private final Predicate<FlowNode.Match> readsChannel;
    private final Map<FlowNode, FlowNode> nodes = new IdentityHashMap<>();
    private final Map<FlowNode, Integer> levels = new IdentityHashMap<>();
    private final List<Cut> cuts = new ArrayList<>();
    private final List<List<FlowPlan.Output>> outputs = new ArrayList<>();
    private final FlowPlan plan;

    /**
     * Splits a flow.
     *
     * @param readsChannel whether a pattern reads a channel directly
     */
    PatternSplitter(final FlowPlan plan, final FlowProperties properties, final Predicate<FlowNode.Match> readsChannel)
    {
        this.properties = properties;
        this.readsChannel = readsChannel;
        for (final FlowPlan.Output output : plan.outputs())
        {
            final FlowNode input = cut(output.input());
            add(new FlowPlan.Output(output.queryId(), input, output.stream(), output.type()),
                levels.get(output.input()));
        }
        final List<FlowNode.Source> sources = new ArrayList<>(plan.sources());
        cuts.forEach(cut -> sources.add(cut.matches()));
        this.plan = new FlowPlan(plan.name(), sources, outputs.stream().flatMap(List::stream).toList(),
            plan.ordering(), Collections.nCopies(sources.size(), FlowRoute.TO_ALL));
    }

    private void add(final FlowPlan.Output output, final int level)
    {
        while (outputs.size() <= level)
        {
            outputs.add(new ArrayList<>());
        }
        outputs.get(level).add(output);
    }

    /** The flow without patterns. */
    FlowPlan plan()
    {
        return plan;
    }

    /** Patterns in topological order: those whose matches others read come first. */
    List<Cut> patterns()
    {
        return cuts;
    }

    /** Outputs of queries and of patterns by level. */
    List<List<FlowPlan.Output>> outputs()
    {
        return outputs;
    }

    /**
     * Partition columns of nodes, translated to the nodes that replace them; nodes that only patterns read are omitted.
     */
    Map<FlowNode, Integer> columns(final Map<FlowNode, Integer> of)
    {
        final Set<FlowNode> there = Collections.newSetFromMap(new IdentityHashMap<>());
        plan.outputs().forEach(output -> there.addAll(FlowNode.upstream(output.input())));
        final Map<FlowNode, Integer> columns = new IdentityHashMap<>();
        of.forEach((node, column) ->
        {
            final FlowNode now = nodes.get(node);
            if (!(node instanceof FlowNode.Match) && there.contains(now))
            {
                columns.put(now, column);
            }
        });
        return columns;
    }

    private FlowNode cut(final FlowNode node)
    {
        final FlowNode known = nodes.get(node);
        if (known != null)
        {
            return known;
        }
        final List<FlowNode> inputs = node.inputs().stream().map(this::cut).toList();
        final int level = node.inputs().stream().mapToInt(levels::get).max().orElse(0);
        final FlowNode made;
        if (node instanceof FlowNode.Match match)
        {
            made = cut(match, inputs.get(0), level);
            levels.put(node, level + 1);
        }
        else
        {
            made = FlowNodeCopier.with(node, inputs);
            levels.put(node, level);
        }
        nodes.put(node, made);
        return made;
    }

    private FlowNode.Source cut(final FlowNode.Match match, final FlowNode input, final int level)
    {
        final String name = "pattern " + (cuts.size() + 1);
        final FlowNode.Source matches = new FlowNode.Source("matches of " + name, type(name, match.rows()),
            match.rows(), false, List.of(), FlowNode.TimeKind.APPLICATION, false, false);
        FlowPlan.Output read = null;
        if (!readsChannel.test(match))
        {
            read = new FlowPlan.Output("rows of " + name, read(match.input(), input), true, type(name, input.rows()));
            add(read, level);
        }
        cuts.add(new Cut(match, matches, read, level));
        return matches;
    }

    private static EventType type(final String name, final RowType rows)
    {
        final EventProperty[] columns = new EventProperty[rows.size()];
        for (int i = 0; i < columns.length; i++)
        {
            columns[i] = new EventProperty("c" + i, rows.types().get(i));
        }
        return EventType.tuple(name, columns);
    }

    /** The input rows of a pattern, with nulls in columns that are not read. */
    private FlowNode read(final FlowNode before, final FlowNode input)
    {
        final List<Field> fields = new ArrayList<>();
        for (int i = 0; i < input.rows().size(); i++)
        {
            fields.add(new Field("c" + i, properties.isRead(before, i) ?
                new Expression.Column(i, input.rows().types().get(i), true) :
                new Expression.Literal(null, input.rows().types().get(i))));
        }
        return new FlowNode.Calc(input, null, fields);
    }
}
