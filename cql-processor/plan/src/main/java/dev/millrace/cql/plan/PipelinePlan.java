package dev.millrace.cql.plan;

import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A tree of operators that one channel feeds: the unit that is compiled to one class and run by one worker per
 * partition.
 *
 * @param name            name for classes and messages, composed of the ids of its queries
 * @param sourceChannel   id of the channel that feeds it
 * @param sourceType      row type of the channel
 * @param ordering        constraint on the distribution of rows to workers
 * @param partitionColumn column of {@code sourceType} that decides the worker; -1 unless {@code ordering} is {@link
 *     OrderingConstraint#PARTITION_ORDERED}
 * @param roots           operators that receive the channel's rows
 * @param indexed         whether an index passes only the rows that satisfy {@link #indexPredicate}
 */
public record PipelinePlan(
    String name,
    String sourceChannel,
    EventType sourceType,
    OrderingConstraint ordering,
    int partitionColumn,
    List<Operator> roots,
    boolean indexed)
{
    /** Checks the arguments. */
    public PipelinePlan
    {
        Objects.requireNonNull(sourceChannel, "sourceChannel");
        Objects.requireNonNull(sourceType, "sourceType");
        roots = List.copyOf(roots);
        if ((ordering == OrderingConstraint.PARTITION_ORDERED) != (partitionColumn >= 0))
        {
            throw new IllegalArgumentException(
                "partition column without PARTITION_ORDERED or the reverse, name=" + name);
        }
        if (indexed && (roots.size() != 1 || IndexPredicate.of(roots.get(0)) == null))
        {
            throw new IllegalArgumentException("indexed plan without index predicate, name=" + name);
        }
    }

    /** A plan that receives all rows of the channel. */
    public PipelinePlan(final String name, final String sourceChannel, final EventType sourceType,
        final OrderingConstraint ordering, final int partitionColumn, final List<Operator> roots)
    {
        this(name, sourceChannel, sourceType, ordering, partitionColumn, roots, false);
    }

    /** All {@link Operator.Output}s of the tree, in the order of their queries. */
    public List<Operator.Output> outputs()
    {
        final List<Operator.Output> found = new ArrayList<>();
        roots.forEach(root -> collect(root, found));
        return found;
    }

    /**
     * A necessary condition for the pipeline to process a row.
     *
     * @return {@code null} when any row may matter
     */
    public IndexPredicate indexPredicate()
    {
        return roots.size() == 1 ? IndexPredicate.of(roots.get(0)) : null;
    }

    /**
     * The operators to compile: without conditions that every row satisfies because the index has tested them.
     */
    public List<Operator> compiledRoots()
    {
        return indexed ? List.of(indexPredicate().residual(roots.get(0))) : roots;
    }

    private static void collect(final Operator operator, final List<Operator.Output> found)
    {
        if (operator instanceof Operator.Output output)
        {
            found.add(output);
        }
        operator.consumers().forEach(consumer -> collect(consumer, found));
    }
}
