package dev.millrace.command.scaling.report;

import dev.millrace.command.scaling.ScalingResult;
import dev.millrace.command.scaling.ScalingRow;
import dev.millrace.command.scaling.ScalingRow.InstanceRow;
import dev.millrace.command.scaling.ScalingTable;
import dev.millrace.command.scaling.fleet.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/** Formats a study as one HTML page without scripts: the table, and charts of the rows. */
public final class ScalingReport
{
    private static final double P9999 = 99.99;
    private static final double NS_PER_US = 1e3;
    /** From ten microseconds to one second, eight cells per decade, so that labels are at powers of ten. */
    private static final int CELLS = 41;
    private static final double CELLS_PER_DECADE = 8;

    private final ScalingResult result;
    private final List<ScalingRow> rows;
    private final Right right;

    private ScalingReport(final ScalingResult result)
    {
        this.result = result;
        this.rows = result.rows();
        this.right = isEachOther(row -> row.step().connections()) ? Right.CONNECTIONS :
            isEachOther(row -> row.step().eventsPerSec()) ? Right.RATE : Right.RATE_BY_CONNECTIONS;
    }

    /**
     * @param result result of a run with at least one row
     * @return an HTML page
     */
    public static String of(final ScalingResult result)
    {
        return new ScalingReport(result).page();
    }

    private String page()
    {
        final String title = result.settings().instances() + " instances, " + result.settings().ticksPerPacket() +
            " ticks per packet";
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Signal Generation: %s</title>
            <style>
            body { font-family: sans-serif; margin: 2em; max-width: 72em; }
            table { border-collapse: collapse; }
            th, td { padding: 0.25em 0.7em; text-align: right; border-bottom: 1px solid #ddd; }
            td { white-space: nowrap; }
            .saturated { color: #888; } .wrong { color: #b00; font-weight: bold; }
            svg { margin: 0.5em; }
            </style></head><body>
            <h1>Signal Generation: %s</h1>
            <p>%s; Java %s. %s. Latency runs from the moment an event was due. Rows in grey: the machine was more
            than 80 %% busy, so that nothing on it was punctual. The probe shows how late a thread that only sleeps woke
            up. Processor seconds of servers and generators are of those that there were (processors times measured
            time); what else made the machine busy is the kernel's own work, this command, and other programs.</p>
            %s
            %s
            <div>%s%s%s%s</div>
            </body></html>
            """.formatted(title, title, Machine.describe(), Runtime.version(),
                ScalingTable.started(result.settings().instances(), result.formedSeconds(), result.deployedSeconds()),
                table(), instances(), throughput(), latency(), histogram(), processors());
    }

    private String table()
    {
        final StringBuilder out = new StringBuilder("<table><tr>");
        for (final String head : List.of("connections", "offered/s", "accepted/s", "output/s", "average us",
            "p50 us", "p99 us", "99.99 % us", "max ms", "probe 99.99 % us", "server CPU s", "generator CPU s",
            "of CPU s", "busy %", "servers MiB", "rows"))
        {
            out.append("<th>").append(head).append("</th>");
        }
        out.append("</tr>\n");
        rows.forEach(row -> line(out, row));
        return out.append("</table>").toString();
    }

    private static void line(final StringBuilder out, final ScalingRow row)
    {
        final Histogram latency = row.latency();
        out.append(String.format(Locale.ROOT, "<tr%s><td>%d</td><td>%,.0f</td><td>%,.0f</td><td>%,.0f</td>",
            ScalingResult.isSaturated(row) ? " class=\"saturated\"" : "", row.step().connections(),
            row.offeredPerSec(), row.acceptedPerSec(), row.outputPerSec()));
        out.append(String.format(Locale.ROOT,
            "<td>%,.0f - %,.0f</td><td>%,.0f</td><td>%,.0f</td><td>%,.0f - %,.0f</td><td>%,.1f</td><td>%,.0f</td>",
            row.least(InstanceRow::avgUs), row.most(InstanceRow::avgUs),
            latency.getValueAtPercentile(50) / NS_PER_US, latency.getValueAtPercentile(99) / NS_PER_US,
            row.least(each -> each.percentileUs(P9999)), row.most(each -> each.percentileUs(P9999)),
            row.maxUs() / 1e3, row.hiccupUs(P9999)));
        out.append(String.format(Locale.ROOT,
            "<td>%.1f</td><td>%.1f</td><td>%s</td><td>%s</td><td>%s</td><td%s>%s</td></tr>\n", row.cpu().serverSec(),
            row.cpu().generatorSec(), ScalingTable.known("%.1f", row.cpu().thereSec()),
            ScalingTable.known("%.0f", row.cpu().busyPercent()), ScalingTable.known("%,.0f", row.serverRssMiB()),
            row.isRight() ? "" : " class=\"wrong\"", row.isRight() ? "right" : "wrong"));
    }

    /** Formats the columns of the white paper: each instance separately. */
    private String instances()
    {
        final StringBuilder out = new StringBuilder("<h2>Each instance</h2>\n<table><tr><th>connections</th><th></th>");
        rows.get(0).instances().forEach(each -> out.append("<th>").append(each.name()).append("</th>"));
        out.append("</tr>\n");
        for (final ScalingRow row : rows)
        {
            cells(out, row, "average us", InstanceRow::avgUs);
            cells(out, row, "99.99 % us", each -> each.percentileUs(P9999));
        }
        return out.append("</table>").toString();
    }

    private static void cells(final StringBuilder out, final ScalingRow row, final String what,
        final ToDoubleFunction<InstanceRow> figure)
    {
        out.append(String.format(Locale.ROOT, "<tr%s><td>%d</td><td>%s</td>",
            ScalingResult.isSaturated(row) ? " class=\"saturated\"" : "", row.step().connections(), what));
        row.instances().forEach(each ->
            out.append(String.format(Locale.ROOT, "<td>%,.0f</td>", figure.applyAsDouble(each))));
        out.append("</tr>\n");
    }

    private double[] of(final ToDoubleFunction<ScalingRow> figure)
    {
        return rows.stream().mapToDouble(figure).toArray();
    }

    /**
     * The horizontal axis: the connections if they differ in each row; the rate if it differs in each row; otherwise
     * the rate, with one line per number of connections.
     */
    private enum Right
    {
        CONNECTIONS("connections of each generator"), RATE("events/s offered to an instance"),
        RATE_BY_CONNECTIONS("events/s offered; one line per number of connections");

        private final String label;

        Right(final String label)
        {
            this.label = label;
        }
    }

    private boolean isEachOther(final ToLongFunction<ScalingRow> figure)
    {
        return rows.stream().mapToLong(figure).distinct().count() == rows.size();
    }

    private double[] x()
    {
        return of(row -> right == Right.CONNECTIONS ? row.step().connections() : row.step().eventsPerSec());
    }

    private LineChart overRows(final String title, final String unit, final boolean isLogarithmic)
    {
        return new LineChart(title, unit, right.label, isLogarithmic, false);
    }

    /** Draws one line per number of connections. */
    private String lines(final LineChart chart, final ToDoubleFunction<ScalingRow> figure)
    {
        rows.stream().map(row -> row.step().connections()).distinct().forEach(connections ->
        {
            final List<ScalingRow> some = rows.stream().filter(row -> row.step().connections() == connections).toList();
            chart.add(Integer.toString(connections),
                some.stream().mapToDouble(row -> row.step().eventsPerSec()).toArray(),
                some.stream().mapToDouble(figure).toArray());
        });
        return chart.svg();
    }

    private String throughput()
    {
        if (right == Right.RATE_BY_CONNECTIONS)
        {
            return lines(overRows("Accepted", "events/s", false), ScalingRow::acceptedPerSec);
        }
        return overRows("Throughput", "events/s", false).addBroad("offered", x(), of(ScalingRow::offeredPerSec))
            .add("accepted", x(), of(ScalingRow::acceptedPerSec)).add("output", x(), of(ScalingRow::outputPerSec))
            .svg();
    }

    private String latency()
    {
        if (right == Right.RATE_BY_CONNECTIONS)
        {
            return lines(overRows("Average latency", "us", true), row -> row.most(InstanceRow::avgUs));
        }
        return overRows("Latency", "us", true)
            .add("average", x(), of(row -> row.most(InstanceRow::avgUs)))
            .add("p99", x(), of(row -> row.latency().getValueAtPercentile(99) / NS_PER_US))
            .add("99.99 %", x(), of(row -> row.most(each -> each.percentileUs(P9999))))
            .add("probe", x(), of(row -> row.hiccupUs(P9999))).svg();
    }

    private String processors()
    {
        if (right == Right.RATE_BY_CONNECTIONS)
        {
            return lines(overRows("Processor time of the server", "s", false), row -> row.cpu().serverSec());
        }
        return overRows("Processor time", "s", false).addBroad("available", x(), of(row -> row.cpu().thereSec()))
            .add("servers", x(), of(row -> row.cpu().serverSec()))
            .add("generators", x(), of(row -> row.cpu().generatorSec())).svg();
    }

    private String name(final ScalingRow row)
    {
        return (right == Right.RATE ? "" : row.step().connections() + " conn.") +
            (right == Right.CONNECTIONS ? "" : String.format(Locale.ROOT, " %,d/s", row.step().eventsPerSec()));
    }

    /** Draws the share of rows that took at least a given time, for the first and the last row of the table. */
    private String histogram()
    {
        final LineChart chart = new LineChart("Latency histogram",
            "of a million emitted rows, number that took longer", "us", true, true);
        final double[] us = new double[CELLS];
        for (int i = 0; i < CELLS; i++)
        {
            us[i] = Math.rint(10 * Math.pow(10, i / CELLS_PER_DECADE));
        }
        final List<ScalingRow> shown = new ArrayList<>(List.of(rows.get(0)));
        if (rows.size() > 1)
        {
            shown.add(rows.get(rows.size() - 1));
        }
        for (final ScalingRow row : shown)
        {
            final Histogram latency = row.latency();
            final double[] slower = new double[CELLS];
            for (int i = 0; i < CELLS; i++)
            {
                final double share = 1 - latency.getPercentileAtOrBelowValue((long)(us[i] * NS_PER_US)) / 100;
                // The line ends where no row was slower.
                slower[i] = share <= 0 ? Double.NaN : 1e6 * share;
            }
            chart.add(name(row), us, slower);
        }
        return chart.svg();
    }
}
