package dev.millrace.cql.testkit.interpreter;

import java.util.List;

/** What an expression is evaluated over. */
final class Env
{
    /** The row; null when an ungrouped aggregate has no rows. */
    Object[] row;
    /** Rows of the group, when aggregating. */
    List<Object[]> group;
    /** The instant, when aggregating. */
    long time;
    /** Number of the row, where rows are numbered. */
    long number;
    /** The candidate, in patterns. */
    Candidate candidate;
}
