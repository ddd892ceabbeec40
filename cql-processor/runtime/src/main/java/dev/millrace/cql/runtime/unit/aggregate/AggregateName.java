package dev.millrace.cql.runtime.unit.aggregate;

import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.function.GroupAggregateFactory;
import dev.millrace.cql.runtime.unit.UnitConstant;

/**
 * A constant of a plan that refers to an aggregate which is bound when a unit is created.
 *
 * @param function   name under which it is bound
 * @param isDistinct whether equal arguments count once
 */
public record AggregateName(String function, boolean isDistinct) implements UnitConstant
{
    @Override
    public GroupAggregateFactory in(final FlowBindings bindings)
    {
        final GroupAggregateFactory bound = FlowBindings.bound(bindings.aggregates(), function, "aggregate");
        return isDistinct ? () -> new DistinctArguments(bound.newAggregate()) : bound;
    }
}
