package dev.millrace.cql.processor;

import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.expression.Expression;
import java.lang.reflect.RecordComponent;
import java.util.BitSet;
import java.util.Collection;

/**
 * Finds the columns of its channel that a pipeline reads. The first operators read the channel, and they are records:
 * their components are walked, so that an operator with another expression needs no code here. Single use.
 */
final class SourceColumns
{
    private final BitSet found = new BitSet();

    private SourceColumns()
    {
    }

    /** The columns that a pipeline reads, by index. */
    static BitSet of(final PipelinePlan plan)
    {
        final SourceColumns columns = new SourceColumns();
        plan.roots().forEach(columns::addOperator);
        if (plan.partitionColumn() >= 0)
        {
            columns.found.set(plan.partitionColumn());
        }
        return columns.found;
    }

    private void addOperator(final Operator operator)
    {
        if (operator instanceof Operator.Output output)
        {
            // A query of all columns has no other operator.
            found.set(0, output.type().properties().size());
        }
        else if (operator instanceof Operator.Family family)
        {
            addOperator(family.fused());
            family.members().forEach(this::addOperator);
        }
        else
        {
            if (operator instanceof Operator.FixedPattern pattern)
            {
                pattern.partitionBy().forEach(found::set);
            }
            if (operator instanceof Operator.SequencePattern pattern)
            {
                pattern.partitionBy().forEach(found::set);
            }
            addParts((Record)operator);
        }
    }

    private void add(final Object part)
    {
        if (part instanceof Expression.Column column)
        {
            found.set(column.column());
        }
        else if (part instanceof Expression.PriorColumn column)
        {
            found.set(column.column());
        }
        else if (part instanceof Collection<?> parts)
        {
            parts.forEach(this::add);
        }
        else if (part instanceof Operator.WindowAggregate shape && shape.consumers().isEmpty())
        {
            // The aggregation of keyed outputs.
            addParts(shape);
        }
        else if (part instanceof Record parts && !(part instanceof Operator))
        {
            addParts(parts);
        }
    }

    private void addParts(final Record parts)
    {
        for (final RecordComponent component : parts.getClass().getRecordComponents())
        {
            try
            {
                add(component.getAccessor().invoke(parts));
            }
            catch (final ReflectiveOperationException impossible)
            {
                throw new IllegalStateException("a plan is a public record, type=" + parts.getClass(), impossible);
            }
        }
    }
}
