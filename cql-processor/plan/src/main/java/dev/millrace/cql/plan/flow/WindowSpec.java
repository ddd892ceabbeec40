package dev.millrace.cql.plan.flow;

import java.util.List;

/** Windows. Times are in nanoseconds. A plain stream is {@link Unbounded}. */
public sealed interface WindowSpec
{
    /** Rows of the current instant. */
    record Now() implements WindowSpec
    {
    }

    /** All rows so far. */
    record Unbounded() implements WindowSpec
    {
    }

    /**
     * Rows of a period.
     *
     * @param rangeNs length, more than 0
     * @param slideNs step, 0 without SLIDE
     */
    record Range(long rangeNs, long slideNs) implements WindowSpec
    {
    }

    /**
     * Rows whose column value is near that of the latest row; the clock is not used.
     *
     * @param column numeric, timestamp or interval column
     * @param range  difference at which a row leaves: in units of the column, nanoseconds for times
     */
    record ValueRange(int column, double range) implements WindowSpec
    {
    }

    /**
     * The last rows of the stream.
     *
     * @param rows  number of rows
     * @param slide step in rows, 1 without SLIDE
     */
    record Rows(long rows, long slide) implements WindowSpec
    {
    }

    /**
     * The last rows of each group of equal columns.
     *
     * @param partitionBy columns
     * @param rows        number of rows
     * @param rangeNs     0 without RANGE
     * @param slideNs     0 without SLIDE
     */
    record Partition(List<Integer> partitionBy, long rows, long rangeNs, long slideNs) implements WindowSpec
    {
        /** Copies the list. */
        public Partition
        {
            partitionBy = List.copyOf(partitionBy);
        }
    }

    /**
     * Rows until the time that one of their columns contains.
     *
     * @param column timestamp, or bigint of nanoseconds
     */
    record Until(int column) implements WindowSpec
    {
    }

    /**
     * Rows of the open session of each group of equal columns.
     *
     * @param gapNs       length of the period without rows that ends a session, more than 0
     * @param partitionBy columns, possibly none
     */
    record Session(long gapNs, List<Integer> partitionBy) implements WindowSpec
    {
        /** Copies the list. */
        public Session
        {
            partitionBy = List.copyOf(partitionBy);
        }
    }

    /**
     * A window of a user class.
     *
     * @param name      name in the catalog
     * @param arguments constants, boxed
     */
    record User(String name, List<Object> arguments) implements WindowSpec
    {
        /** Copies the list. */
        public User
        {
            arguments = List.copyOf(arguments);
        }
    }
}
