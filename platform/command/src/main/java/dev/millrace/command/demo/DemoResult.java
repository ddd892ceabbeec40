package dev.millrace.command.demo;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The figures of one run, and whether they are correct.
 *
 * @param sent               rows sent by the generator
 * @param figures            statistics of the application at the end
 * @param expected           expected output
 * @param offeredPerSec      due events per second
 * @param acceptedPerSec     accepted events per second
 * @param readySeconds       from the start of the instance until the application ran
 * @param firstSignalSeconds from the start of the command until the first signal was seen
 */
public record DemoResult(
    long sent,
    SampleFigures figures,
    ExpectedSignals.Counts expected,
    double offeredPerSec,
    double acceptedPerSec,
    double readySeconds,
    double firstSignalSeconds)
{
    private static final String[] LATENCIES = {"mean", "p50", "p99", "p9999", "max"};
    private static final int SIGNALS_SHOWN = 3;

    /** Whether all rows were accepted and both counts equal those of the independent computation. */
    public boolean isRight()
    {
        return figures.accepted() == sent && figures.rejected() == 0 &&
            figures.signals() == expected.signals() && figures.trends() == expected.trends();
    }

    /**
     * Returns the latency from the due time of an event until its signal was emitted, over all runs so far.
     *
     * @return mean, percentiles and maximum, microseconds
     */
    public Map<String, Double> latencyUs()
    {
        final Map<String, Double> latency = new LinkedHashMap<>();
        for (final String name : LATENCIES)
        {
            latency.put(name, figures.latency(name));
        }
        return latency;
    }

    /** Returns the figures as JSON. */
    public String json()
    {
        final Map<String, Object> out = new LinkedHashMap<>();
        out.put("eventsSent", sent);
        out.put("eventsAccepted", figures.accepted());
        out.put("eventsRejected", figures.rejected());
        out.put("signals", figures.signals());
        out.put("trends", figures.trends());
        out.put("expectedSignals", expected.signals());
        out.put("expectedTrends", expected.trends());
        out.put("offeredPerSec", Math.round(offeredPerSec));
        out.put("acceptedPerSec", Math.round(acceptedPerSec));
        out.put("latencyUs", latencyUs());
        out.put("readySeconds", readySeconds);
        out.put("firstSignalSeconds", firstSignalSeconds);
        out.put("right", isRight());
        return new GsonBuilder().setPrettyPrinting().serializeSpecialFloatingPointValues().create().toJson(out) + "\n";
    }

    /** Returns the figures as a table for users. */
    public String table()
    {
        final StringBuilder out = new StringBuilder();
        row(out, "events", "%,14d sent      %,14d accepted  %s", sent, figures.accepted(),
            mark(figures.accepted() == sent));
        row(out, "rejected", "%,14d%39s", figures.rejected(), mark(figures.rejected() == 0));
        row(out, "signals", "%,14d counted   %,14d expected  %s", figures.signals(), expected.signals(),
            mark(figures.signals() == expected.signals()));
        row(out, "trends", "%,14d counted   %,14d expected  %s", figures.trends(), expected.trends(),
            mark(figures.trends() == expected.trends()));
        row(out, "rate", "%,14.0f offered/s %,14.0f accepted/s", offeredPerSec, acceptedPerSec);
        row(out, "latency", "%,14.0f us mean   %,14.0f us 50 %%", figures.latency("mean"), figures.latency("p50"));
        row(out, "", "%,14.0f us 99 %%   %,14.0f us 99.99 %%   %,.0f us max", figures.latency("p99"),
            figures.latency("p9999"), figures.latency("max"));
        row(out, "times", "%,14.1f s  instance start to application ready", readySeconds);
        row(out, "", "%,14.1f s  command start to first signal", firstSignalSeconds);
        row(out, "last", "%s", lastSignals());
        return out.toString();
    }

    private String lastSignals()
    {
        final StringJoiner text = new StringJoiner(", ");
        for (int i = 0; i < Math.min(SIGNALS_SHOWN, figures.last().size()); i++)
        {
            final JsonObject signal = figures.last().get(i).getAsJsonObject();
            text.add(String.format(Locale.ROOT, "%s %.2f (%+.1f %%)", signal.get("symbol").getAsString(),
                signal.get("lastPrice").getAsDouble(), signal.get("percLastPrice").getAsDouble()));
        }
        return text.toString();
    }

    private static void row(final StringBuilder out, final String name, final String format, final Object... values)
    {
        out.append(String.format(Locale.ROOT, "  %-9s", name)).append(String.format(Locale.ROOT, format, values))
            .append('\n');
    }

    private static String mark(final boolean right)
    {
        return right ? "right" : "WRONG";
    }
}
