package dev.millrace.cql.plan;

import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.WindowSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Columns that identify the rows of a relation: no two of its rows ever have equal values in all of them at the same
 * time. An empty set means that there is at most one row. Derived from the plan only, so not every set of unique
 * columns is found. Stateless, thread-safe.
 */
public final class UniqueColumns
{
    private UniqueColumns()
    {
    }

    /**
     * Finds the unique columns of a node.
     *
     * @param node a relation, of one engine or of all engines that partition its rows
     * @return columns of its rows; empty if nothing is known. In a stream no two rows are ever equal in them
     */
    public static Optional<Set<Integer>> of(final FlowNode node)
    {
        if (node instanceof FlowNode.Source source)
        {
            return ofSource(source);
        }
        if (node instanceof FlowNode.Group group)
        {
            return Optional.of(first(group.keys().size()));
        }
        if (node instanceof FlowNode.Calc calc)
        {
            return calc.fields() == null ? of(calc.input()) : of(calc.input()).flatMap(columns ->
                carried(columns, calc.fields(), UniqueColumns::column));
        }
        if (node instanceof FlowNode.Distinct)
        {
            return Optional.of(first(node.rows().size()));
        }
        if (node instanceof FlowNode.Window window)
        {
            return window.window() instanceof WindowSpec.Partition partition && partition.rows() == 1 ?
                Optional.of(Set.copyOf(partition.partitionBy())) : of(window.input());
        }
        if (node instanceof FlowNode.TopN top && top.limit() == 1)
        {
            return Optional.of(Set.copyOf(top.partitionBy()));
        }
        if (node instanceof FlowNode.TopN || node instanceof FlowNode.Sort || node instanceof FlowNode.Evaluate)
        {
            return of(node.inputs().get(0));
        }
        if (node instanceof FlowNode.SetOperation set)
        {
            return ofSet(set);
        }
        return node instanceof FlowNode.Join join ? ofJoin(join) : Optional.empty();
    }

    /** A column with the time identifies rows if no two rows have the same time. */
    private static Optional<Set<Integer>> ofSource(final FlowNode.Source source)
    {
        if (source.relation())
        {
            return source.primaryKey().isEmpty() ? Optional.empty() : Optional.of(Set.copyOf(source.primaryKey()));
        }
        return source.time() == FlowNode.TimeKind.APPLICATION_TOTAL_ORDER && source.timeColumn() >= 0 ?
            Optional.of(Set.of(source.timeColumn())) : Optional.empty();
    }

    private static Optional<Set<Integer>> ofSet(final FlowNode.SetOperation set)
    {
        return switch (set.kind())
        {
            case UNION -> Optional.of(first(set.rows().size()));
            case UNION_ALL -> Optional.empty();
            default -> of(set.left());
        };
    }

    /** A side whose rows match at most one row keeps its columns; otherwise the columns of both sides are needed. */
    private static Optional<Set<Integer>> ofJoin(final FlowNode.Join join)
    {
        final Optional<Set<Integer>> left = of(join.left());
        final Optional<Set<Integer>> right = of(join.right()).map(columns -> columns.stream()
            .map(column -> column + join.left().rows().size()).collect(Collectors.toSet()));
        if (left.isEmpty() || right.isEmpty())
        {
            return Optional.empty();
        }
        if (join.rightKeys().containsAll(of(join.right()).get()))
        {
            return left;
        }
        if (join.kind() == FlowNode.JoinKind.INNER && join.leftKeys().containsAll(left.get()))
        {
            return right;
        }
        final Set<Integer> both = new HashSet<>(left.get());
        both.addAll(right.get());
        return Optional.of(both);
    }

    /**
     * Finds the unique columns of the outputs of a pipeline that are relations.
     *
     * @return columns of the rows, by query; queries without known unique columns are absent
     */
    public static Map<String, Set<Integer>> of(final PipelinePlan plan)
    {
        final Map<String, Set<Integer>> found = new HashMap<>();
        plan.roots().forEach(root -> collect(root, Optional.empty(), found));
        return found;
    }

    private static void collect(final Operator operator, final Optional<Set<Integer>> columns,
        final Map<String, Set<Integer>> found)
    {
        if (operator instanceof Operator.Output output)
        {
            if (output.kind() == Operator.OutputKind.RELATION)
            {
                columns.ifPresent(known -> found.put(output.queryId(), known));
            }
            return;
        }
        Optional<Set<Integer>> below = Optional.empty();
        if (operator instanceof Operator.GroupedAggregate group)
        {
            below = carried(first(group.keys().size()), group.fields(), UniqueColumns::key);
        }
        else if (operator instanceof Operator.WindowAggregate group)
        {
            below = carried(first(group.keys().size()), group.fields(), UniqueColumns::key);
        }
        for (final Operator consumer : operator.consumers())
        {
            collect(consumer, below, found);
        }
    }

    /** The input column that a field copies unchanged; -1 if it computes a value. */
    private interface Origin
    {
        int of(Expression expression);
    }

    private static int column(final Expression expression)
    {
        return expression instanceof Expression.Column column ? column.column() : -1;
    }

    private static int key(final Expression expression)
    {
        return expression instanceof Expression.KeyValue key ? key.key() : -1;
    }

    /** The columns after a projection; empty if the projection drops one of them. */
    private static Optional<Set<Integer>> carried(final Set<Integer> columns, final List<Field> fields,
        final Origin origin)
    {
        final Set<Integer> behind = new HashSet<>();
        for (final int column : columns)
        {
            final int position = IntStream.range(0, fields.size())
                .filter(i -> origin.of(fields.get(i).expression()) == column).findFirst().orElse(-1);
            if (position < 0)
            {
                return Optional.empty();
            }
            behind.add(position);
        }
        return Optional.of(behind);
    }

    private static Set<Integer> first(final int count)
    {
        return IntStream.range(0, count).boxed().collect(Collectors.toSet());
    }
}
