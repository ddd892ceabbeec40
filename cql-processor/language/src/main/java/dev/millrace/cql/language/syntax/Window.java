package dev.millrace.cql.language.syntax;

import java.math.BigDecimal;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;

/** A window after a source. Immutable. */
public sealed interface Window
{
    /** {@code [now]}. */
    record Now() implements Window
    {
    }

    /** {@code [range unbounded]}, or no window. */
    record Unbounded() implements Window
    {
    }

    /**
     * {@code [range t slide d]}.
     *
     * @param range length
     * @param slide step, or {@code null}
     */
    record Range(Statement.Period range, Statement.Period slide) implements Window
    {
    }

    /**
     * {@code [range c on column]}.
     *
     * @param range  difference: in units of the column, nanoseconds when it is a time
     * @param time   whether it was written as an interval or with a unit
     * @param column column of the source
     */
    record ValueRange(BigDecimal range, boolean time, SqlIdentifier column) implements Window
    {
    }

    /**
     * {@code [rows n slide m]}.
     *
     * @param rows  number of rows, at least 1
     * @param slide step, 1 without SLIDE
     */
    record Rows(long rows, long slide) implements Window
    {
    }

    /**
     * {@code [partition by a, b rows n range t slide d]}.
     *
     * @param columns columns of the source
     * @param rows    number of rows, at least 1
     * @param range   length, or {@code null}
     * @param slide   step, or {@code null}
     */
    record PartitionRows(List<SqlIdentifier> columns, long rows, Statement.Period range, Statement.Period slide)
        implements Window
    {
        /** Copies the list. */
        public PartitionRows
        {
            columns = List.copyOf(columns);
        }
    }

    /**
     * {@code [range until a]}.
     *
     * @param column column of the source that contains the time at which its row leaves
     */
    record Until(SqlIdentifier column) implements Window
    {
    }

    /**
     * {@code [session gap t partition by a, b]}.
     *
     * @param gap     length of the period without rows that ends a session
     * @param columns columns of the source; none without PARTITION BY
     */
    record Session(Statement.Period gap, List<SqlIdentifier> columns) implements Window
    {
        /** Copies the list. */
        public Session
        {
            columns = List.copyOf(columns);
        }
    }

    /**
     * {@code [name(arguments)]}.
     *
     * @param name      a registered window
     * @param arguments values
     */
    record User(SqlIdentifier name, List<SqlNode> arguments) implements Window
    {
        /** Copies the list. */
        public User
        {
            arguments = List.copyOf(arguments);
        }
    }
}
