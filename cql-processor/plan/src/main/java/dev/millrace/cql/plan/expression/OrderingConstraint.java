package dev.millrace.cql.plan.expression;

/** Constraint on the distribution of a statement's rows to workers. */
public enum OrderingConstraint
{
    /** The output order equals that of a single-threaded run: one worker. */
    ORDERED,
    /** Rows are independent: any worker, in any order. */
    UNORDERED,
    /** Rows with an equal partition value keep their order: the worker that owns the value. */
    PARTITION_ORDERED
}
