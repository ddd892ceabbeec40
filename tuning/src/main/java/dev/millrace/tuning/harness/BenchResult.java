package dev.millrace.tuning.harness;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A line of results: the eight fields that every workload has, first and in this order, then additional figures. A
 * missing figure (NaN) is null in JSON and a dash in the table. Not thread-safe.
 */
public final class BenchResult
{
    private static final Gson GSON = new GsonBuilder().serializeNulls().create();

    private final String workload;
    private final String variant;
    private final Map<String, Object> figures = new LinkedHashMap<>();
    private long events;
    private double nsPerEvent = Double.NaN;
    private double bytesPerEvent = Double.NaN;
    private double limitNsPerEvent = Double.NaN;
    private double ratioToLimit = Double.NaN;

    public BenchResult(final String workload, final String variant)
    {
        this.workload = workload;
        this.variant = variant;
    }

    public String workload()
    {
        return workload;
    }

    public String variant()
    {
        return variant;
    }

    /** Events per round. */
    public BenchResult events(final long number)
    {
        events = number;
        return this;
    }

    /** The engine's time per event; events per second are derived from it. */
    public BenchResult nsPerEvent(final double ns)
    {
        nsPerEvent = ns;
        return this;
    }

    public double nsPerEvent()
    {
        return nsPerEvent;
    }

    /** Bytes that the engine has allocated per event. */
    public BenchResult bytesPerEvent(final double bytes)
    {
        bytesPerEvent = bytes;
        return this;
    }

    public double bytesPerEvent()
    {
        return bytesPerEvent;
    }

    /** The baseline's time per event. */
    public BenchResult limitNsPerEvent(final double ns)
    {
        limitNsPerEvent = ns;
        return this;
    }

    public double limitNsPerEvent()
    {
        return limitNsPerEvent;
    }

    /** Time of the engine divided by that of the baseline, median of the rounds; smaller is better. */
    public BenchResult ratioToLimit(final double ratio)
    {
        ratioToLimit = ratio;
        return this;
    }

    public double ratioToLimit()
    {
        return ratioToLimit;
    }

    /** An additional figure, for example {@code p99Us}; the name ends with the unit. */
    public BenchResult with(final String name, final double figure)
    {
        figures.put(name, Double.isFinite(figure) ? (Object)rounded(figure) : JsonNull.INSTANCE);
        return this;
    }

    /** An additional count. */
    public BenchResult with(final String name, final long count)
    {
        figures.put(name, count);
        return this;
    }

    /** An additional description. */
    public BenchResult with(final String name, final String words)
    {
        figures.put(name, words);
        return this;
    }

    /** The additional figures, in order. */
    public Map<String, Object> figures()
    {
        return figures;
    }

    /** The line as JSON, without a line break. */
    public String json()
    {
        final JsonObject line = new JsonObject();
        line.addProperty("workload", workload);
        line.addProperty("variant", variant);
        line.addProperty("events", events);
        add(line, "nsPerEvent", nsPerEvent);
        line.add("eventsPerSec", Double.isNaN(nsPerEvent) ? JsonNull.INSTANCE :
            GSON.toJsonTree(Math.round(1e9 / nsPerEvent)));
        add(line, "bytesPerEvent", bytesPerEvent);
        add(line, "limitNsPerEvent", limitNsPerEvent);
        add(line, "ratioToLimit", ratioToLimit);
        figures.forEach((name, figure) -> line.add(name, GSON.toJsonTree(figure)));
        return GSON.toJson(line);
    }

    private static void add(final JsonObject line, final String name, final double figure)
    {
        line.add(name, Double.isFinite(figure) ? GSON.toJsonTree(rounded(figure)) : JsonNull.INSTANCE);
    }

    /** To four digits: figures under a nanosecond keep enough of them. */
    private static double rounded(final double value)
    {
        return Math.abs(value) < 1e12 ? Math.round(value * 1e4) / 1e4 : value;
    }
}
