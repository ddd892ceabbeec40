package dev.millrace.cql.planner.print;

import dev.millrace.cql.plan.flow.RowType;
import dev.millrace.cql.plan.flow.WindowSpec;
import java.util.List;
import java.util.stream.Collectors;

/** Formats windows and durations in the syntax of statements. Stateless. */
final class WindowPrinter
{
    private static final long[] LENGTHS_NS =
        {86_400_000_000_000L, 3_600_000_000_000L, 60_000_000_000L, 1_000_000_000L, 1_000_000L, 1_000L, 1L};
    private static final String[] UNITS =
        {"day", "hour", "minute", "second", "millisecond", "microsecond", "nanosecond"};

    private WindowPrinter()
    {
    }

    /** A duration in the largest unit of which it is a whole multiple. */
    static String time(final long ns)
    {
        int unit = 0;
        while (ns % LENGTHS_NS[unit] != 0)
        {
            unit++;
        }
        final long count = ns / LENGTHS_NS[unit];
        return count + " " + UNITS[unit] + (count == 1 ? "" : "s");
    }

    /** Names of columns. */
    static String names(final List<Integer> columns, final RowType rows)
    {
        return columns.stream().map(column -> rows.names().get(column)).collect(Collectors.joining(", "));
    }

    /** A window over rows. */
    static String window(final WindowSpec window, final RowType rows)
    {
        if (window instanceof WindowSpec.Now)
        {
            return "now";
        }
        if (window instanceof WindowSpec.Range range)
        {
            return "range " + time(range.rangeNs()) + slide(range.slideNs());
        }
        if (window instanceof WindowSpec.ValueRange range)
        {
            return "range " + range.range() + " on " + rows.names().get(range.column());
        }
        if (window instanceof WindowSpec.Rows last)
        {
            return "rows " + last.rows() + (last.slide() > 1 ? " slide " + last.slide() : "");
        }
        if (window instanceof WindowSpec.Partition last)
        {
            return "partition by " + names(last.partitionBy(), rows) + " rows " + last.rows() +
                (last.rangeNs() > 0 ? " range " + time(last.rangeNs()) + slide(last.slideNs()) : "");
        }
        if (window instanceof WindowSpec.Until until)
        {
            return "range until " + rows.names().get(until.column());
        }
        if (window instanceof WindowSpec.Session session)
        {
            return "session gap " + time(session.gapNs()) + (session.partitionBy().isEmpty() ? "" :
                " partition by " + names(session.partitionBy(), rows));
        }
        return window instanceof WindowSpec.User user ? user.name() + user.arguments() : "range unbounded";
    }

    private static String slide(final long slideNs)
    {
        return slideNs > 0 ? " slide " + time(slideNs) : "";
    }
}
