package dev.millrace.command.scaling;

import dev.millrace.command.scaling.ScalingRow.InstanceRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** A study as one HTML page without scripts: the table, and charts over the rows. */
public final class ScalingReport
{
    private static final double P9999 = 99.99;
    private static final double NS_PER_US = 1e3;
    /** From ten microseconds to a second, eight a decade, so that labels fall on powers of ten. */
    private static final int CELLS = 41;
    private static final double CELLS_PER_DECADE = 8;

    private final ScalingResult result;
    private final List<ScalingRow> rows;

    private ScalingReport(final ScalingResult result)
    {
        this.result = result;
        this.rows = result.rows();
    }

    /**
     * Writes it.
     *
     * @param result of a run with at least one row
     * @return text of an HTML page
     */
    public static String of(final ScalingResult result)
    {
        return new ScalingReport(result).page();
    }

    private String page()
    {
        final String title = result.settings().instances() + " instances, " + result.settings().ticksPerPacket() +
            " ticks a packet";
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Signal Generation: %s</title>
            <style>
            body { font-family: sans-serif; margin: 2em; max-width: 72em; }
            table { border-collapse: collapse; }
            th, td { padding: 0.25em 0.7em; text-align: right; border-bottom: 1px solid #ddd; }
            .saturated { color: #888; } .wrong { color: #b00; font-weight: bold; }
            svg { margin: 0.5em; }
            </style></head><body>
            <h1>Signal Generation: %s</h1>
            <p>%s; Java %s. %s. Latency runs from the moment an event was due. Rows in grey: the machine was more
            than 80 %% busy, so that nothing on it was punctual. The probe shows how late a thread that only sleeps woke
            up.</p>
            %s
            %s
            <div>%s%s%s%s</div>
            </body></html>
            """.formatted(title, title, ScalingJson.Machine.describe(), Runtime.version(),
                ScalingTable.started(result.settings().instances(), result.formedSeconds(), result.deployedSeconds()),
                table(), instances(), throughput(), latency(), histogram(), processors());
    }

    private String table()
    {
        final StringBuilder out = new StringBuilder("<table><tr>");
        for (final String head : List.of("connections", "offered/s", "accepted/s", "output/s", "average us",
            "p50 us", "p99 us", "99.99 % us", "max ms", "probe 99.99 % us", "server CPU s", "generator CPU s", "busy %",
            "servers MiB", "rows"))
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
            "<td>%.0f-%.0f</td><td>%.0f</td><td>%.0f</td><td>%.0f-%.0f</td><td>%.1f</td><td>%.0f</td>",
            row.least(InstanceRow::avgUs), row.most(InstanceRow::avgUs),
            latency.getValueAtPercentile(50) / NS_PER_US, latency.getValueAtPercentile(99) / NS_PER_US,
            row.least(each -> each.percentileUs(P9999)), row.most(each -> each.percentileUs(P9999)),
            row.maxUs() / 1e3, row.hiccupUs(P9999)));
        out.append(String.format(Locale.ROOT,
            "<td>%.1f</td><td>%.1f</td><td>%.0f</td><td>%.0f</td><td%s>%s</td></tr>\n", row.cpu().serverSec(),
            row.cpu().generatorSec(), row.cpu().busyPercent(), row.serverRssMiB(),
            row.isRight() ? "" : " class=\"wrong\"", row.isRight() ? "right" : "wrong"));
    }

    /** The columns of the white paper: each instance by itself. */
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
            out.append(String.format(Locale.ROOT, "<td>%.0f</td>", figure.applyAsDouble(each))));
        out.append("</tr>\n");
    }

    private double[] of(final ToDoubleFunction<ScalingRow> figure)
    {
        return rows.stream().mapToDouble(figure).toArray();
    }

    /** Connections when each row has others; the rate when that is so with rates; else the number of the row. */
    private double[] x()
    {
        if (rows.stream().map(row -> row.step().connections()).distinct().count() == rows.size())
        {
            return of(row -> row.step().connections());
        }
        if (rows.stream().map(row -> row.step().eventsPerSec()).distinct().count() == rows.size())
        {
            return of(row -> row.step().eventsPerSec());
        }
        return IntStream.rangeClosed(1, rows.size()).asDoubleStream().toArray();
    }

    private String throughput()
    {
        return new LineChart("Throughput", "events/s", false, false).add("offered", x(), of(ScalingRow::offeredPerSec))
            .add("accepted", x(), of(ScalingRow::acceptedPerSec)).svg();
    }

    private String latency()
    {
        return new LineChart("Latency", "us", true, false)
            .add("average", x(), of(row -> row.most(InstanceRow::avgUs)))
            .add("p99", x(), of(row -> row.latency().getValueAtPercentile(99) / NS_PER_US))
            .add("99.99 %", x(), of(row -> row.most(each -> each.percentileUs(P9999))))
            .add("probe", x(), of(row -> row.hiccupUs(P9999))).svg();
    }

    private String processors()
    {
        return new LineChart("Processor time of a row", "s", false, false)
            .add("servers", x(), of(row -> row.cpu().serverSec()))
            .add("generators", x(), of(row -> row.cpu().generatorSec())).svg();
    }

    /** Share of the rows that took at least so long, for the first and the last row of the table. */
    private String histogram()
    {
        final LineChart chart = new LineChart("Slower than so many us", "of a million rows", true, true);
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
                slower[i] = 1e6 * (1 - latency.getPercentileAtOrBelowValue((long)(us[i] * NS_PER_US)) / 100);
            }
            chart.add(row.step().connections() + " conn.", us, slower);
        }
        return chart.svg();
    }
}
