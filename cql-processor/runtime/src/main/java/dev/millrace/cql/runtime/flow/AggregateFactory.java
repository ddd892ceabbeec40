package dev.millrace.cql.runtime.flow;

/** Makes aggregates, one a group. Safe for all threads. */
@FunctionalInterface
public interface AggregateFactory
{
    /**
     * Makes an aggregate without rows.
     *
     * @return a new object
     */
    AggregateFunction newAggregate();
}
