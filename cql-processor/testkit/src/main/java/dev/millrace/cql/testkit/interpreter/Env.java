package dev.millrace.cql.testkit.interpreter;

import java.util.List;

/** The environment in which an expression is evaluated. */
final class Env
{
    /** The row; null when an ungrouped aggregate has no rows. */
    Object[] row;
    /** Rows of the group, when aggregating. */
    List<Object[]> group;
    /** The instant, when aggregating. */
    long time;
    /** Number of the row, when rows are numbered. */
    long number;
    /** The candidate, in patterns. */
    PartialMatch candidate;
}
