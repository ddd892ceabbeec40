package dev.millrace.tuning.report;

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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The guards of all machines that were measured. Differences of processor caches can change even the ratio of two loops
 * by a factor of two, so a known machine is compared with itself. Immutable.
 *
 * @param guards one per machine
 */
public record ReferenceRatioSet(List<ReferenceRatios> guards)
{
    private static final String RESOURCE = "guard.json";
    private static final Gson GSON = new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

    /** None. */
    public static ReferenceRatioSet empty()
    {
        return new ReferenceRatioSet(List.of());
    }

    /**
     * Reads the built-in guards.
     *
     * @throws IOException when they are missing or unreadable
     */
    public static ReferenceRatioSet builtIn() throws IOException
    {
        try (InputStream in = ReferenceRatioSet.class.getResourceAsStream(RESOURCE))
        {
            if (in == null)
            {
                throw new IOException("there is no built-in guard; specify one with --guard FILE");
            }
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8), RESOURCE);
        }
    }

    /**
     * Reads a file.
     *
     * @throws IOException when it cannot be read or has no guards
     */
    public static ReferenceRatioSet read(final Path file) throws IOException
    {
        return parse(Files.readString(file, StandardCharsets.UTF_8), file.toString());
    }

    private static ReferenceRatioSet parse(final String text, final String file) throws IOException
    {
        try
        {
            final List<ReferenceRatios> guards = new ArrayList<>();
            for (final JsonElement each : JsonParser.parseString(text).getAsJsonArray())
            {
                guards.add(guard(each.getAsJsonObject()));
            }
            return new ReferenceRatioSet(guards);
        }
        catch (final JsonParseException | IllegalStateException | NullPointerException | NumberFormatException e)
        {
            throw new IOException("not a guard: file=" + file + "; a guard is a list with machine, java, date and " +
                "ratios", e);
        }
    }

    private static ReferenceRatios guard(final JsonObject json)
    {
        final Map<String, Double> ratios = new TreeMap<>();
        for (final Map.Entry<String, JsonElement> each : json.getAsJsonObject("ratios").entrySet())
        {
            ratios.put(each.getKey(), each.getValue().getAsDouble());
        }
        return new ReferenceRatios(json.get("machine").getAsString(), json.get("java").getAsString(),
            json.get("date").getAsString(), ratios);
    }

    /** Writes the guards; machines and workloads are sorted by name. */
    public void write(final Path file) throws IOException
    {
        final List<JsonObject> all = new ArrayList<>();
        for (final ReferenceRatios guard :
            guards.stream().sorted(Comparator.comparing(ReferenceRatios::machine)).toList())
        {
            final JsonObject json = new JsonObject();
            json.addProperty("machine", guard.machine());
            json.addProperty("java", guard.java());
            json.addProperty("date", guard.date());
            json.add("ratios", GSON.toJsonTree(new TreeMap<>(guard.ratios())));
            all.add(json);
        }
        Files.writeString(file, GSON.toJson(all) + "\n", StandardCharsets.UTF_8);
    }

    /**
     * The ratios to compare a machine with: its own, or the greatest of all machines if it has none.
     *
     * @param machine as returned by {@link Machine#name}
     */
    public ReferenceRatios forMachine(final String machine)
    {
        final Map<String, Double> greatest = new TreeMap<>();
        guards.forEach(guard -> guard.ratios().forEach((name, ratio) -> greatest.merge(name, ratio, Math::max)));
        for (final ReferenceRatios guard : guards)
        {
            if (guard.machine().equals(machine))
            {
                return new ReferenceRatios(machine, guard.java(), guard.date(), greatest).with(
                    guard.ratios(), guard.java(), guard.date());
            }
        }
        return new ReferenceRatios("the greatest of " + guards.size() + " other machines", "-", "-", greatest);
    }

    /** A copy in which a run on a machine replaces its ratios of the same workloads. */
    public ReferenceRatioSet with(final String machine, final Map<String, Double> ratios, final String java,
        final String date)
    {
        final List<ReferenceRatios> all = new ArrayList<>(guards);
        final ReferenceRatios before = all.stream().filter(guard -> guard.machine().equals(machine)).findFirst()
            .orElseGet(() -> new ReferenceRatios(machine, java, date, Map.of()));
        all.remove(before);
        all.add(before.with(ratios, java, date));
        return new ReferenceRatioSet(all);
    }
}
