package dev.millrace.cql.runtime.flow;

/** Creates aggregates, one per group. Thread-safe. */
@FunctionalInterface
public interface AggregateFactory
{
    /** Creates an aggregate without rows. */
    AggregateFunction newAggregate();
}
