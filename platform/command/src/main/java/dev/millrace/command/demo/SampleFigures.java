package dev.millrace.command.demo;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/**
 * Statistics of the sample application at one time.
 *
 * @param accepted  rows accepted by the adapter
 * @param rejected  rows rejected by any stage
 * @param signals   signals received by the output bean
 * @param trends    trends received by the output bean
 * @param latencyUs count, mean and percentiles from due time to output
 * @param histogram histogram of the same in nanoseconds, compressed by HdrHistogram, in Base64; empty without output
 * @param last      the latest signals, newest first
 */
public record SampleFigures(
    long accepted, long rejected, long signals, long trends, JsonObject latencyUs, String histogram, JsonArray last)
{
    static final String ADAPTER = "loadgenAdapter";
    static final String OUTPUT = "outputBean";

    /**
     * Reads the statistics of the sample application.
     *
     * @return figures; without latencies when there was no output yet
     */
    public static SampleFigures of(final JsonObject statistics)
    {
        long accepted = 0;
        long rejected = 0;
        JsonObject own = new JsonObject();
        for (final JsonElement element : statistics.getAsJsonArray("stages"))
        {
            final JsonObject stage = element.getAsJsonObject();
            rejected += number(stage, "rowsRejected");
            final String id = stage.get("id").getAsString();
            if (ADAPTER.equals(id))
            {
                accepted = number(stage, "rowsOut");
            }
            else if (OUTPUT.equals(id))
            {
                own = stage.getAsJsonObject("own");
            }
        }
        final JsonObject latency = own.has("latencyUs") ? own.getAsJsonObject("latencyUs") : new JsonObject();
        return new SampleFigures(
            accepted, rejected, number(own, "signals"), number(own, "trends"), latency,
            own.has("latencyHistogram") ? own.get("latencyHistogram").getAsString() : "",
            own.has("lastSignals") ? own.getAsJsonArray("lastSignals") : new JsonArray());
    }

    double latency(final String name)
    {
        return latencyUs.has(name) ? latencyUs.get(name).getAsDouble() : Double.NaN;
    }

    private static long number(final JsonObject object, final String name)
    {
        return object.has(name) ? object.get(name).getAsLong() : 0;
    }
}
