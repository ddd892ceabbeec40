package dev.millrace.cql.plan;

/** How the rows of a statement may be spread over workers. */
public enum OrderingConstraint
{
    /** Output order is that of a single-threaded run: one worker. */
    ORDERED,
    /** Rows are independent: any worker, any order. */
    UNORDERED,
    /** Rows of equal partition value keep their order: the worker that owns the value. */
    PARTITION_ORDERED
}
