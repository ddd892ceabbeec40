package dev.millrace.cql.runtime.pattern.attempt;

import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.function.GroupAggregate;
import dev.millrace.cql.runtime.function.GroupAggregateFactory;
import dev.millrace.cql.runtime.function.Values;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Aggregates that are computed over all rows of a match at each read: user-defined aggregates, decimals, and distinct
 * values.
 *
 * <p>Confined to the engine thread. Failure: an exception of a function rejects the row or the match with
 * {@link RejectionHandler#AGGREGATE_FAILED}.
 */
public final class RowAggregates
{
    private static final int FIRST_LENGTH = 16;
    /** Represents the current row, which has no record yet. */
    private static final int NONE = -1;

    /** Access to the rows of a match. */
    interface Rows
    {
        /** The record of the previous row, negative for none. */
        int previous(int row);

        /** The variable of a row, negative for a match without rows. */
        int variable(int row);

        /** An argument of an aggregate for a row; {@code null} for null. */
        Object argument(int aggregate, int index, int partition, int row, int variable);
    }

    /**
     * An aggregate.
     *
     * @param factory    creates it
     * @param variables  mask of the variables whose rows it reads
     * @param arguments  number of arguments
     * @param isDistinct whether equal arguments count once
     */
    public record Aggregate(GroupAggregateFactory factory, String function, long variables, int arguments,
        boolean isDistinct)
    {
    }

    private final Aggregate[] aggregates;
    private final Rows rows;
    private int[] path = new int[FIRST_LENGTH];

    RowAggregates(final Aggregate[] aggregates, final Rows rows)
    {
        this.aggregates = aggregates;
        this.rows = rows;
    }

    /** The value over the rows up to one, and the current row if it is labelled with a variable. */
    Object value(final int number, final int partition, final int last, final int variable)
    {
        final Aggregate aggregate = aggregates[number];
        int length = 0;
        for (int row = last; row >= 0; row = rows.previous(row))
        {
            final int label = rows.variable(row);
            if (label >= 0 && (aggregate.variables & 1L << label) != 0)
            {
                if (length == path.length)
                {
                    path = Arrays.copyOf(path, length * 2);
                }
                path[length++] = row;
            }
        }
        try
        {
            final GroupAggregate function = aggregate.factory.newAggregate();
            function.reset();
            final Set<List<Object>> seen = aggregate.isDistinct ? new HashSet<>() : null;
            for (int i = length - 1; i >= 0; i--)
            {
                add(number, partition, path[i], rows.variable(path[i]), function, seen);
            }
            if (variable >= 0 && (aggregate.variables & 1L << variable) != 0)
            {
                add(number, partition, NONE, variable, function, seen);
            }
            return function.value();
        }
        // Functions of users may throw anything.
        catch (final Throwable failure)
        {
            throw Values.failed(RejectionHandler.AGGREGATE_FAILED, "function=" + aggregate.function, failure);
        }
    }

    private void add(final int number, final int partition, final int row, final int variable,
        final GroupAggregate function, final Set<List<Object>> seen)
    {
        final Object[] values = new Object[aggregates[number].arguments];
        for (int i = 0; i < values.length; i++)
        {
            values[i] = rows.argument(number, i, partition, row, variable);
            if (values[i] == null)
            {
                return;
            }
        }
        if (seen == null || seen.add(Arrays.stream(values).map(RowAggregates::comparable).toList()))
        {
            function.plus(values);
        }
    }

    /** Converts a value to an object whose {@code equals} is equality in CQL. */
    private static Object comparable(final Object value)
    {
        if (value instanceof Double number)
        {
            return number + 0.0;
        }
        if (value instanceof Float number)
        {
            return number + 0.0f;
        }
        if (value instanceof BigDecimal number)
        {
            return number.stripTrailingZeros();
        }
        return value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value;
    }
}
