package dev.millrace.cql.planner;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.language.Refusal;
import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.WindowSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where a flow keeps what it knows of each partition of a channel that is shared out among members: when a partition
 * moves to another member, each of these places forgets it. A flow whose state is not apart by partition has problems
 * instead. Used once, by one thread.
 */
public final class SharedState
{
    private final Map<String, String> channels;
    private final Map<FlowNode, Integer> columns = new IdentityHashMap<>();
    private final List<Problem> problems = new ArrayList<>();

    /**
     * State that cannot be forgotten by partition.
     *
     * @param queryId whose
     * @param what    the reason, for people
     */
    public record Problem(String queryId, String what)
    {
    }

    /**
     * Looks at a flow.
     *
     * @param plan     the flow
     * @param channels ids of channels that are shared out, and the property by which
     */
    public SharedState(final FlowPlan plan, final Map<String, String> channels)
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
     * Where the value lies by which rows are shared out.
     *
     * @return for each node that keeps rows, a column: of a source, a window or a pattern, of its input; of a group, of
     *     its keys; nodes are compared by identity
     */
    public Map<FlowNode, Integer> columns()
    {
        return Collections.unmodifiableMap(columns);
    }

    /**
     * What stands against it.
     *
     * @return empty when all state is apart by partition
     */
    public List<Problem> problems()
    {
        return List.copyOf(problems);
    }

    private void look(final FlowPlan.Output output, final Map<FlowNode.Source, Expression> split)
    {
        final String properties = String.join(", ", channels.values().stream().distinct().sorted().toList());
        final Placements placements = new Placements(properties, split, node -> "query " + output.queryId(), false);
        try
        {
            placements.of(output.input());
            for (final FlowNode node : FlowNode.upstream(output.input()))
            {
                if (!node.inputs().isEmpty() && !placements.of(node.inputs().get(0)).everywhere())
                {
                    place(node, placements, output.queryId());
                }
            }
        }
        catch (final Refusal refusal)
        {
            problems.add(new Problem(output.queryId(), refusal.text()));
        }
    }

    private void place(final FlowNode node, final Placements placements, final String query)
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
            problems.add(new Problem(query, "it keeps all rows of a stream without window"));
        }
    }

    private void window(final FlowNode.Window window, final Placements placements, final String query)
    {
        final WindowSpec spec = window.window();
        if (spec instanceof WindowSpec.User user)
        {
            problems.add(new Problem(query, "only the application knows what its window " + user.name() + " keeps"));
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
            problems.add(new Problem(query, "the rows that " + what + " keeps do not tell the partition"));
        }
        else
        {
            columns.put(node, column);
        }
    }

    /** The column, of some, that has the very value by which rows are shared out; -1 when there is none. */
    private int columnIn(final Placements placements, final FlowNode node, final List<Integer> some)
    {
        return placements.of(node).values().stream()
            .filter(value -> value instanceof Expression.Column column && some.contains(column.column()) &&
                columns.keySet().stream().filter(FlowNode.Source.class::isInstance).map(FlowNode.Source.class::cast)
                    .allMatch(source -> type(source.type(), columns.get(source)) ==
                        node.rows().types().get(column.column())))
            .mapToInt(value -> ((Expression.Column)value).column()).sorted().findFirst().orElse(-1);
    }

    /** Whether rows come into a relation that never leave it by themselves, and are kept by nobody before it. */
    private static boolean onlyGrows(final FlowNode relation)
    {
        if (relation instanceof FlowNode.Window window)
        {
            return window.window() instanceof WindowSpec.Unbounded;
        }
        return !(relation instanceof FlowNode.Source) && !(relation instanceof FlowNode.Group) &&
            relation.inputs().stream().anyMatch(SharedState::onlyGrows);
    }

    /** Joins with rows of the instant keep the other side alone. */
    private static boolean keepsForEver(final FlowNode node)
    {
        if (node instanceof FlowNode.Join join && Placements.isOfInstant(join))
        {
            return onlyGrows(Placements.isOfInstant(join.left()) ? join.right() : join.left());
        }
        return node instanceof FlowNode.SetOperation set && set.kind() == FlowNode.SetKind.UNION_ALL ? false :
            node.inputs().stream().anyMatch(SharedState::onlyGrows);
    }
}
