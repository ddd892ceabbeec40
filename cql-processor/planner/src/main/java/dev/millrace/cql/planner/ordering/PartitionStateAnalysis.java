package dev.millrace.cql.planner.ordering;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.WindowSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Locates the state that a flow keeps per partition of a channel that is partitioned across members: when a partition
 * moves to another member, each of these nodes discards its state. A flow with state that is not separable by partition
 * has problems instead. Single use, not thread-safe.
 */
public final class PartitionStateAnalysis
{
    private final Map<String, String> channels;
    private final Map<FlowNode, Integer> columns = new IdentityHashMap<>();
    private final List<Problem> problems = new ArrayList<>();

    /**
     * State that cannot be discarded by partition.
     *
     * @param what reason, for display
     */
    public record Problem(String queryId, String what)
    {
    }

    /**
     * Analyzes a flow.
     *
     * @param channels ids of partitioned channels, and the property by which each is partitioned
     */
    public PartitionStateAnalysis(final FlowPlan plan, final Map<String, String> channels)
    {
        this.channels = Map.copyOf(channels);
        final Map<FlowNode.Source, Expression> split = new IdentityHashMap<>();
        for (final FlowNode.Source source : plan.sources())
        {
            final String property = channels.get(source.name());
            if (property != null)
            {
                final int column = source.type().indexOf(property);
                split.put(source, new Expression.Column(column, type(source.type(), column), true));
                columns.put(source, column);
            }
        }
        if (!split.isEmpty())
        {
            plan.outputs().forEach(output -> look(output, split));
        }
    }

    private static CqlType type(final EventType of, final int column)
    {
        return of.properties().get(column).type();
    }

    /**
     * The columns that contain the value by which rows are partitioned.
     *
     * @return one column for each node that stores rows: for a source, a window or a pattern, a column of its input;
     *     for a group, one of its keys; nodes are compared by identity
     */
    public Map<FlowNode, Integer> columns()
    {
        return Collections.unmodifiableMap(columns);
    }

    /**
     * The state that prevents partitioning.
     *
     * @return empty if all state is separable by partition
     */
    public List<Problem> problems()
    {
        return List.copyOf(problems);
    }

    private void look(final FlowPlan.Output output, final Map<FlowNode.Source, Expression> split)
    {
        final String properties = String.join(", ", channels.values().stream().distinct().sorted().toList());
        final DistributionAnalysis placements = new DistributionAnalysis(properties, split,
            node -> "query " + output.queryId(), false);
        try
        {
            placements.of(output.input());
            for (final FlowNode node : FlowNode.upstream(output.input()))
            {
                if (!node.inputs().isEmpty() && !placements.of(node.inputs().get(0)).everywhere())
                {
                    position(node, placements, output.queryId());
                }
            }
        }
        catch (final CqlRuleException refusal)
        {
            problems.add(new Problem(output.queryId(), refusal.text()));
        }
    }

    private void position(final FlowNode node, final DistributionAnalysis placements, final String query)
    {
        if (node instanceof FlowNode.Window window)
        {
            window(window, placements, query);
        }
        else if (node instanceof FlowNode.Match match)
        {
            put(node, columnIn(placements, match.input(), match.pattern().partitionBy()), query, "the pattern");
        }
        else if (node instanceof FlowNode.Group group && onlyGrows(group.input()))
        {
            final int column = columnIn(placements, group.input(), group.keys());
            put(node, group.keys().indexOf(column), query, "GROUP BY");
        }
        else if ((node instanceof FlowNode.Join || node instanceof FlowNode.SetOperation ||
            node instanceof FlowNode.Distinct || node instanceof FlowNode.TopN) && keepsForEver(node))
        {
            problems.add(new Problem(query, "it stores all rows of a stream without a window"));
        }
    }

    private void window(final FlowNode.Window window, final DistributionAnalysis placements, final String query)
    {
        final WindowSpec spec = window.window();
        if (spec instanceof WindowSpec.User user)
        {
            problems.add(new Problem(query,
                "the state of the user window " + user.name() + " is not separable by partition"));
        }
        else if (!(spec instanceof WindowSpec.Now) && !(spec instanceof WindowSpec.Unbounded))
        {
            final List<Integer> all = new ArrayList<>();
            for (int i = 0; i < window.input().rows().size(); i++)
            {
                all.add(i);
            }
            put(window, columnIn(placements, window.input(), all), query, "a window");
        }
    }

    private void put(final FlowNode node, final int column, final String query, final String what)
    {
        if (column < 0)
        {
            problems.add(new Problem(query, "the rows that " + what + " stores do not determine the partition"));
        }
        else
        {
            columns.put(node, column);
        }
    }

    /** The first of some columns that contains exactly the value by which rows are partitioned, or -1. */
    private int columnIn(final DistributionAnalysis placements, final FlowNode node, final List<Integer> some)
    {
        return placements.of(node).values().stream()
            .filter(value -> value instanceof Expression.Column column && some.contains(column.column()) &&
                columns.keySet().stream().filter(FlowNode.Source.class::isInstance).map(FlowNode.Source.class::cast)
                    .allMatch(source -> type(source.type(), columns.get(source)) ==
                        node.rows().types().get(column.column())))
            .mapToInt(value -> ((Expression.Column)value).column()).sorted().findFirst().orElse(-1);
    }

    /** Whether a relation receives rows that it never deletes, and that no node before it stores. */
    private static boolean onlyGrows(final FlowNode relation)
    {
        if (relation instanceof FlowNode.Window window)
        {
            return window.window() instanceof WindowSpec.Unbounded;
        }
        return !(relation instanceof FlowNode.Source) && !(relation instanceof FlowNode.Group) &&
            relation.inputs().stream().anyMatch(PartitionStateAnalysis::onlyGrows);
    }

    /** Joins with rows of the instant store only the other side. */
    private static boolean keepsForEver(final FlowNode node)
    {
        if (node instanceof FlowNode.Join join && DistributionAnalysis.isOfInstant(join))
        {
            return onlyGrows(DistributionAnalysis.isOfInstant(join.left()) ? join.right() : join.left());
        }
        return node instanceof FlowNode.SetOperation set && set.kind() == FlowNode.SetKind.UNION_ALL ? false :
            node.inputs().stream().anyMatch(PartitionStateAnalysis::onlyGrows);
    }
}
