package dev.millrace.tuning;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A line of results: the eight fields that every workload has, first and in this order, then figures of its own. What a
 * workload does not have (NaN) is null in JSON and a dash in the table. For one thread.
 */
final class Result
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

    Result(final String workload, final String variant)
    {
        this.workload = workload;
        this.variant = variant;
    }

    String workload()
    {
        return workload;
    }

    String variant()
    {
        return variant;
    }

    /** Events of a round. */
    Result events(final long number)
    {
        events = number;
        return this;
    }

    /** The engine's time an event; events a second follow from it. */
    Result nsPerEvent(final double ns)
    {
        nsPerEvent = ns;
        return this;
    }

    double nsPerEvent()
    {
        return nsPerEvent;
    }

    /** What the engine has allocated an event. */
    Result bytesPerEvent(final double bytes)
    {
        bytesPerEvent = bytes;
        return this;
    }

    double bytesPerEvent()
    {
        return bytesPerEvent;
    }

    /** The time an event of what it is compared with. */
    Result limitNsPerEvent(final double ns)
    {
        limitNsPerEvent = ns;
        return this;
    }

    double limitNsPerEvent()
    {
        return limitNsPerEvent;
    }

    /** Time of the engine in times of the limit, the median over the rounds; smaller is better. */
    Result ratioToLimit(final double ratio)
    {
        ratioToLimit = ratio;
        return this;
    }

    double ratioToLimit()
    {
        return ratioToLimit;
    }

    /** A figure of its own, for example {@code p99Us}; the unit ends the name. */
    Result with(final String name, final double figure)
    {
        figures.put(name, Double.isFinite(figure) ? (Object)rounded(figure) : JsonNull.INSTANCE);
        return this;
    }

    /** A count of its own. */
    Result with(final String name, final long count)
    {
        figures.put(name, count);
        return this;
    }

    /** Something said in words. */
    Result with(final String name, final String words)
    {
        figures.put(name, words);
        return this;
    }

    /** The figures of its own, in order. */
    Map<String, Object> figures()
    {
        return figures;
    }

    /** The line, without an end of line. */
    String json()
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

    /** To four places: figures under a nanosecond keep enough of them. */
    private static double rounded(final double value)
    {
        return Math.abs(value) < 1e12 ? Math.round(value * 1e4) / 1e4 : value;
    }
}
