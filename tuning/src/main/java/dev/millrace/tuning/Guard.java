package dev.millrace.tuning;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The ratios to the limit that were reached once, by workload: a new run may be worse, since machines differ and are
 * busy, but not twice as bad. Immutable.
 *
 * @param machine where they were measured
 * @param java    by which version
 * @param date    when
 * @param ratios  by name, or name:variant
 */
record Guard(String machine, String java, String date, Map<String, Double> ratios)
{
    /** Where a ratio counts as a step back that noise does not explain. */
    static final double TWICE = 2;

    private static final double BETTER = 0.8;
    private static final String RESOURCE = "guard.json";
    private static final Gson GSON = new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

    /**
     * What became of a workload.
     *
     * @param name   or name:variant
     * @param before ratio of the guard, NaN when it has none
     * @param now    ratio of the new run, NaN when it has none
     */
    record Change(String name, double before, double now)
    {
        boolean isTwiceAsBad()
        {
            return now / before >= TWICE;
        }

        String verdict()
        {
            if (Double.isNaN(now))
            {
                return "not measured";
            }
            if (Double.isNaN(before))
            {
                return "not in the guard";
            }
            return isTwiceAsBad() ? "TWICE AS BAD" : now / before <= BETTER ? "better" : "ok";
        }

        /** For the table, under {@link #HEAD}. */
        String line()
        {
            return String.format(Locale.ROOT, "%-28s %8s %8s %8s  %s", name, figure(before), figure(now),
                figure(now / before), verdict());
        }

        private static String figure(final double value)
        {
            return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value);
        }
    }

    /** Above the lines of changes. */
    static final String HEAD =
        String.format(Locale.ROOT, "%-28s %8s %8s %8s", "workload", "guard", "now", "change");

    /** A guard without ratios. */
    static Guard empty()
    {
        return new Guard("", "", "", Map.of());
    }

    /**
     * Reads the guard that was built in.
     *
     * @throws IOException when it is not there or not readable
     */
    static Guard builtIn() throws IOException
    {
        try (InputStream in = Guard.class.getResourceAsStream(RESOURCE))
        {
            if (in == null)
            {
                throw new IOException("no guard was built in; give one with --guard FILE");
            }
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8), RESOURCE);
        }
    }

    /**
     * Reads a file.
     *
     * @throws IOException when it cannot be read or is no guard
     */
    static Guard read(final Path file) throws IOException
    {
        return parse(Files.readString(file, StandardCharsets.UTF_8), file.toString());
    }

    private static Guard parse(final String text, final String file) throws IOException
    {
        try
        {
            final JsonObject json = JsonParser.parseString(text).getAsJsonObject();
            final Map<String, Double> ratios = new TreeMap<>();
            for (final Map.Entry<String, JsonElement> each : json.getAsJsonObject("ratios").entrySet())
            {
                ratios.put(each.getKey(), each.getValue().getAsDouble());
            }
            return new Guard(json.get("machine").getAsString(), json.get("java").getAsString(),
                json.get("date").getAsString(), ratios);
        }
        catch (final JsonParseException | IllegalStateException | NullPointerException | NumberFormatException e)
        {
            throw new IOException("not a guard: file=" + file + "; it has machine, java, date and ratios", e);
        }
    }

    /** Writes it, workloads in order of their names. */
    void write(final Path file) throws IOException
    {
        final JsonObject json = new JsonObject();
        json.addProperty("machine", machine);
        json.addProperty("java", java);
        json.addProperty("date", date);
        json.add("ratios", GSON.toJsonTree(new TreeMap<>(ratios)));
        Files.writeString(file, GSON.toJson(json) + "\n", StandardCharsets.UTF_8);
    }

    /** The same with other ratios in place of those of the same names. */
    Guard with(final Map<String, Double> others, final String where, final String version, final String when)
    {
        final Map<String, Double> all = new TreeMap<>(ratios);
        all.putAll(others);
        return new Guard(where, version, when, all);
    }

    /**
     * Compares a run.
     *
     * @param now ratios of the run
     * @return a change for each workload of the guard and of the run, by name
     */
    List<Change> changes(final Map<String, Double> now)
    {
        final TreeSet<String> names = new TreeSet<>(ratios.keySet());
        names.addAll(now.keySet());
        final List<Change> changes = new ArrayList<>();
        for (final String name : names)
        {
            changes.add(new Change(
                name, ratios.getOrDefault(name, Double.NaN), now.getOrDefault(name, Double.NaN)));
        }
        return changes;
    }
}
