package dev.millrace.cql.runtime.function;

/** Creates aggregates, one per group. Thread-safe. */
@FunctionalInterface
public interface GroupAggregateFactory
{
    /** Creates an aggregate without rows. */
    GroupAggregate newAggregate();
}
