package dev.millrace.command.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.scaling.ScalingRow.InstanceRow;
import dev.millrace.command.scaling.fleet.CpuUsage;
import dev.millrace.command.scaling.fleet.Progress;
import dev.millrace.command.scaling.fleet.RunEnvironment;
import dev.millrace.command.scaling.fleet.ScalingSettings;
import dev.millrace.command.scaling.fleet.ScalingSettings.Step;
import dev.millrace.command.scaling.report.ScalingJson;
import dev.millrace.command.scaling.report.ScalingReport;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reports of measured rows. */
@Timeout(60)
class ScalingResultTest
{
    private static final long US = 1000;

    private static Histogram histogram(final long... us)
    {
        final Histogram histogram = new Histogram(3_600_000_000_000L, 3);
        for (final long each : us)
        {
            histogram.recordValue(each * US);
        }
        return histogram;
    }

    private static InstanceRow instance(final String name, final double acceptedPerSec, final boolean isRight)
    {
        return new InstanceRow(name, acceptedPerSec, 50, histogram(10, 20, 30), 200, isRight);
    }

    private static ScalingRow row(final int connections, final double offeredPerSec, final double acceptedPerSec,
        final double busyPercent, final boolean isRight)
    {
        return new ScalingRow(new Step(connections, (long)offeredPerSec), offeredPerSec,
            List.of(instance("server1", acceptedPerSec / 2, true), instance("server2", acceptedPerSec / 2, isRight)),
            900, 1000, 55, 60, new CpuUsage(4, 8, 3.5, 1.5, busyPercent), histogram(100));
    }

    private static ScalingResult result(final ScalingRow... rows)
    {
        return new ScalingResult(new ScalingSettings(2, List.of(), 10, 20, 5, RunEnvironment.USUAL, false), 12, 15,
            List.of(rows));
    }

    @Test
    void shouldNameTheHighestRateThatWasTakenInAsThePeak()
    {
        final ScalingResult result = result(row(1, 100_000, 100_000, 30, true), row(2, 200_000, 199_500, 60, true),
            row(3, 300_000, 250_000, 99, true));
        assertThat(result.peak()).get().asString().contains("199,500 events/s").contains("2 connections");
        assertThat(result(row(4, 300_000, 250_000, 99, true)).peak()).get().asString()
            .contains("in no row was the full offered rate accepted");
        assertThat(result().peak()).isEmpty();
    }

    @Test
    void shouldRefuseFiguresOfARunThatLostRows()
    {
        result(row(1, 100, 100, 30, true)).check();
        assertThatThrownBy(() -> result(row(1, 100, 100, 30, true), row(2, 100, 100, 30, false)).check())
            .isInstanceOf(CommandException.class).hasMessageContaining("CMD-0165").hasMessageContaining("connections=2")
            .hasMessageContaining("sent=1000 accepted=900 expectedOutput=60 output=55")
            .hasMessageContaining("[server2]");
        assertThat(ScalingTable.line(row(2, 100, 100, 30, false))).endsWith("WRONG");
    }

    @Test
    void shouldTellRowsOfASaturatedMachine()
    {
        assertThat(ScalingTable.line(row(1, 100, 100, 79, true))).endsWith("right");
        assertThat(ScalingTable.line(row(1, 100, 100, 81, true))).endsWith("right, machine saturated");
        assertThat(ScalingTable.line(row(1, 100, 100, Double.NaN, true))).endsWith("right");
    }

    @Test
    void shouldWriteFiguresForPrograms()
    {
        final JsonObject json =
            JsonParser.parseString(ScalingJson.of(result(row(3, 4000, 2000, 50, true)))).getAsJsonObject();
        assertThat(json.keySet()).contains("machine", "jdk", "rows", "formedSeconds", "deployedSeconds");
        assertThat(json.get("machine").getAsString()).contains(System.getProperty("os.name"), "processors");
        final JsonObject row = json.getAsJsonArray("rows").get(0).getAsJsonObject();
        assertThat(row.get("connections").getAsInt()).isEqualTo(3);
        assertThat(row.get("offeredPerSec").getAsDouble()).isEqualTo(4000);
        assertThat(row.get("acceptedPerSec").getAsDouble()).isEqualTo(2000);
        assertThat(row.get("outputPerSec").getAsDouble()).isEqualTo(100);
        assertThat(row.get("expectedOutput").getAsLong()).isEqualTo(60);
        assertThat(row.get("output").getAsLong()).isEqualTo(55);
        assertThat(row.get("maxMs").getAsDouble()).isBetween(0.03, 0.0301);
        assertThat(row.get("measuredSec").getAsDouble()).isEqualTo(4);
        assertThat(row.get("cpuSec").getAsDouble()).isEqualTo(8);
        assertThat(row.get("serverCpuSec").getAsDouble()).isEqualTo(3.5);
        assertThat(row.get("generatorCpuSec").getAsDouble()).isEqualTo(1.5);
        assertThat(row.get("serverRssMiB").getAsDouble()).isEqualTo(400);
        final JsonObject instance = row.getAsJsonArray("instances").get(1).getAsJsonObject();
        assertThat(instance.get("name").getAsString()).isEqualTo("server2");
        assertThat(instance.get("avgUs").getAsDouble()).isBetween(19.99, 20.02);
        assertThat(instance.get("p50Us").getAsDouble()).isBetween(19.99, 20.02);
        assertThat(instance.get("p99Us").getAsDouble()).isBetween(29.99, 30.03);
        assertThat(instance.get("p9999Us").getAsDouble()).isBetween(29.99, 30.03);
    }

    /** Systems other than Linux provide neither idle time nor memory. */
    @Test
    void shouldWriteNullAndADashForWhatTheSystemDoesNotTell()
    {
        final ScalingRow row = new ScalingRow(new Step(1, 100), 100,
            List.of(new InstanceRow("server1", 100, 50, histogram(10), Double.NaN, true)), 10, 10, 5, 5,
            new CpuUsage(4, Double.NaN, 1, 1, Double.NaN), histogram(100));
        // Gson would read NaN, which is not valid JSON.
        assertThat(ScalingJson.of(result(row))).doesNotContain("NaN").contains("\"busyPercent\": null",
            "\"cpuSec\": null", "\"serverRssMiB\": null", "\"rssMiB\": null");
        assertThat(ScalingTable.line(row)).doesNotContain("NaN").contains("1.0s      -     -        -  right");
        assertThat(ScalingReport.of(result(row))).doesNotContain("NaN").contains("<td>-</td>");
    }

    @Test
    void shouldDrawALineForEachNumberOfConnectionsWhenRatesDifferToo()
    {
        final String page = ScalingReport.of(result(row(1, 1_000, 1_000, 20, true), row(1, 2_000, 2_000, 20, true),
            row(4, 1_000, 1_000, 20, true), row(4, 2_000, 1_500, 20, true)));
        assertThat(page).contains(">events/s offered; one line per number of connections<")
            .doesNotContain(">connections of each generator<");
        final String accepted = page.substring(page.indexOf("<svg"), page.indexOf("</svg>"));
        assertThat(accepted.split("<polyline", -1)).as("two lines").hasSize(3);
        assertThat(page).contains(">1 conn. 1,000/s<").contains(">4 conn. 2,000/s<");
    }

    @Test
    void shouldDrawAPageWithoutScripts()
    {
        final String page = ScalingReport.of(result(row(1, 2_000, 2_000, 20, true), row(2, 4_000, 3_000, 95, true)));
        assertThat(page).startsWith("<!DOCTYPE html>").doesNotContain("<script").doesNotContain("NaN");
        assertThat(page.split("<svg", -1)).hasSize(5);
        assertThat(page)
            .contains(">Throughput, events/s<", ">Latency, us<", ">Latency histogram, ", ">Processor time, s<")
            .contains(">connections of each generator<", ">offered<", ">accepted<", ">output<", ">99.99 %<", ">probe<",
                ">servers<", ">generators<", ">available<", ">1 conn.<", ">2 conn.<");
        assertThat(page).contains("class=\"saturated\"").contains("<td>4,000</td><td>3,000</td>");
        assertThat(page).contains("<th>server1</th><th>server2</th>")
            .contains("<td>average us</td><td>20</td><td>20</td>");
    }

    @Test
    void shouldShowEachInstanceAsTheWhitePaperDoes()
    {
        final List<String> lines = ScalingTable.instances(List.of(row(1, 100, 100, 20, true)));
        assertThat(lines).hasSize(4);
        assertThat(lines.get(1)).matches("conn +server1 +server2");
        assertThat(lines.get(2)).matches(" +1 average us +20 +20");
        assertThat(lines.get(3)).matches(" +1 99.99 % us +30 +30");
        assertThat(ScalingTable.instances(List.of())).isEmpty();
    }

    @Test
    void shouldShowABarWithTheTimeThatIsLeft()
    {
        final List<String> shown = new ArrayList<>();
        final Progress progress = new Progress(shown::add, 120);
        progress.phase("starting, 2 of 10");
        progress.rows(1, 4);
        progress.phase("waiting for the last rows");
        assertThat(shown.get(0)).matches("\\[\\.{24}]   0 %, 2:00 left, starting, 2 of 10");
        assertThat(shown.get(1)).matches("\\[#{6}\\.{18}]  25 %, 1:30 left, waiting for the last rows");
    }
}
