package dev.millrace.command.scaling;

import dev.millrace.command.scaling.ScalingRow.InstanceRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The white paper's table, with additional columns. */
public final class ScalingTable
{
    private static final double P9999 = 99.99;

    private ScalingTable()
    {
    }

    public static String started(final int instances, final double formedSeconds, final double deployedSeconds)
    {
        return String.format(Locale.ROOT, "%d instances, one cluster after %.1f s, application on all after %.1f s",
            instances, formedSeconds, deployedSeconds);
    }

    static String head()
    {
        return String.format(Locale.ROOT, "%4s %11s %11s %6s %9s  %11s %8s %8s %11s %8s  %9s  %7s %7s %6s %5s %8s  %s",
            "conn", "offered/s", "accepted/s", "%", "output/s", "avg us", "p50", "p99", "99.99 %", "max ms",
            "probe us", "srv CPU", "gen CPU", "of", "busy", "srv MiB", "rows");
    }

    static String line(final ScalingRow row)
    {
        return String.format(Locale.ROOT,
            "%4d %,11.0f %,11.0f %6.1f %,9.0f  %11s %8.0f %8.0f %11s %8.1f  %9.0f  %6.1fs %6.1fs %6s %5s %8s  %s",
            row.step().connections(), row.offeredPerSec(), row.acceptedPerSec(),
            100 * row.acceptedPerSec() / row.offeredPerSec(), row.outputPerSec(),
            range(row.least(InstanceRow::avgUs), row.most(InstanceRow::avgUs)),
            row.latency().getValueAtPercentile(50) / 1e3, row.latency().getValueAtPercentile(99) / 1e3,
            range(row.least(each -> each.percentileUs(P9999)), row.most(each -> each.percentileUs(P9999))),
            row.maxUs() / 1e3, row.hiccupUs(P9999), row.cpu().serverSec(), row.cpu().generatorSec(),
            known("%.1fs", row.cpu().thereSec()), known("%.0f%%", row.cpu().busyPercent()),
            known("%.0f", row.serverRssMiB()),
            row.isRight() ? ScalingResult.isSaturated(row) ? "right, machine saturated" : "right" : "WRONG");
    }

    /** Formats the columns of the white paper: average and 99.99 % of each instance. Empty for a single instance. */
    static List<String> instances(final List<ScalingRow> rows)
    {
        final List<String> lines = new ArrayList<>();
        if (rows.isEmpty() || rows.get(0).instances().size() == 1)
        {
            return lines;
        }
        final StringBuilder head = new StringBuilder(String.format(Locale.ROOT, "%4s %-10s", "conn", ""));
        rows.get(0).instances().forEach(each -> head.append(String.format(Locale.ROOT, " %9s", each.name())));
        lines.add("");
        lines.add(head.toString());
        for (final ScalingRow row : rows)
        {
            lines.add(cells(row, "average us", InstanceRow::avgUs));
            lines.add(cells(row, "99.99 % us", each -> each.percentileUs(P9999)));
        }
        return lines;
    }

    private static String cells(final ScalingRow row, final String what, final ToDoubleFunction<InstanceRow> figure)
    {
        final StringBuilder line =
            new StringBuilder(String.format(Locale.ROOT, "%4d %-10s", row.step().connections(), what));
        row.instances().forEach(each ->
            line.append(String.format(Locale.ROOT, " %,9.0f", figure.applyAsDouble(each))));
        return line.toString();
    }

    /** Formats a value that some systems do not provide. */
    public static String known(final String format, final double figure)
    {
        return Double.isNaN(figure) ? "-" : String.format(Locale.ROOT, format, figure);
    }

    private static String range(final double least, final double most)
    {
        return String.format(Locale.ROOT, "%.0f-%.0f", least, most);
    }
}
