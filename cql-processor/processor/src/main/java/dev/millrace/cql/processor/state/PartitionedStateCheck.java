package dev.millrace.cql.processor.state;

import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Determines whether the state of a pipeline is separable by partition, so that single partitions can be discarded: the
 * keys of each stateful step include the source column by which rows are partitioned, and no output is a relation of
 * its rows. Stateless.
 */
public final class PartitionedStateCheck
{
    private PartitionedStateCheck()
    {
    }

    /**
     * Analyzes a pipeline.
     *
     * @param roots  root operators of its plan
     * @param shared column by which rows are partitioned
     * @return false if a step keeps the state of several partitions together
     */
    public static boolean isIn(final List<Operator> roots, final int columns, final int shared)
    {
        return allAre(roots, IntStream.range(0, columns).toArray(), shared);
    }

    /**
     * @param from source column that each input column copies; -1 for other columns
     */
    private static boolean allAre(final List<Operator> operators, final int[] from, final int shared)
    {
        return operators.stream().allMatch(operator -> is(operator, from, shared));
    }

    private static boolean is(final Operator operator, final int[] from, final int shared)
    {
        if (operator instanceof Operator.Output output)
        {
            return output.kind() != Operator.OutputKind.RELATION;
        }
        if (operator instanceof Operator.Family || operator instanceof Operator.GroupedAggregate group &&
            hasKey(group.keys(), from, shared) || operator instanceof Operator.WindowAggregate window &&
            window.window().rangeNs() > 0 && hasKey(window.keys(), from, shared) ||
            operator instanceof Operator.KeyedOutputs keyed &&
            (keyed.shape() == null || !keyed.shape().keys().isEmpty() && hasKey(List.of(keyed.key()), from, shared)) ||
            operator instanceof Operator.SequencePattern sequence && hasColumn(sequence.partitionBy(), from, shared))
        {
            return allAre(operator.consumers(), from, shared);
        }
        if (operator instanceof Operator.Calc calc)
        {
            return allAre(calc.consumers(), repeated(calc.fields(), from), shared);
        }
        if (operator instanceof Operator.LookupJoin join)
        {
            return allAre(join.consumers(), repeated(join.fields(), from), shared);
        }
        return operator instanceof Operator.FixedPattern pattern && hasColumn(pattern.partitionBy(), from, shared) &&
            allAre(pattern.consumers(), repeated(pattern.measures(), from), shared);
    }

    private static boolean hasKey(final List<Expression> keys, final int[] from, final int shared)
    {
        return keys.stream().anyMatch(
            key -> key instanceof Expression.Column column && from[column.column()] == shared);
    }

    private static boolean hasColumn(final List<Integer> columns, final int[] from, final int shared)
    {
        return columns.stream().anyMatch(column -> from[column] == shared);
    }

    private static int[] repeated(final List<Field> fields, final int[] from)
    {
        return fields.stream().map(Field::expression).mapToInt(field ->
            field instanceof Expression.Column column ? from[column.column()] :
            field instanceof Expression.PriorColumn prior && prior.offset() == 0 ? from[prior.column()] : -1).toArray();
    }
}
