package dev.millrace.command.app;

import static dev.millrace.command.app.ApplicationSummary.text;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The statistics of an application as a table, with rates from the second call on. Not thread-safe. */
final class StatisticsTable
{
    private static final double NS_PER_SECOND = 1e9;
    private static final Set<String> COLUMNS = Set.of("id", "kind", "rowsIn", "rowsOut", "rowsRejected", "rejectedBy",
        "batchesIn", "batchesOut", "plannedInMicros", "startedInMicros");
    private static final int LEAST_WIDTH = 5;
    private static final long KIB = 1024;

    private final LongSupplier nanoTime;
    private final Map<String, Long> rowsBefore = new HashMap<>();
    private long beforeNs;

    StatisticsTable(final LongSupplier nanoTime)
    {
        this.nanoTime = nanoTime;
    }

    void print(final JsonObject statistics, final PrintWriter out)
    {
        final long nowNs = nanoTime.getAsLong();
        final List<JsonObject> stages =
            statistics.getAsJsonArray("stages").asList().stream().map(JsonElement::getAsJsonObject).toList();
        final boolean hasRates = !rowsBefore.isEmpty();
        out.println(text(statistics, "application") + "  " + text(statistics, "state"));
        ApplicationSummary.printCauses(statistics, out);
        final int width = Math.max(LEAST_WIDTH, stages.stream().mapToInt(stage -> text(stage, "id").length()).max()
            .orElse(0));
        final String format = "%-" + width + "s  %-10s %14s %14s %12s %12s%n";
        out.printf(format, "STAGE", "KIND", "ROWS IN", "ROWS OUT", "REJECTED", hasRates ? "IN/S" : "");
        for (final JsonObject stage : stages)
        {
            final String id = text(stage, "id");
            final long rowsIn = number(stage, "rowsIn");
            out.printf(format, id, text(stage, "kind"), rowsIn, number(stage, "rowsOut"),
                number(stage, "rowsRejected"), hasRates ? rate(rowsIn - rowsBefore.getOrDefault(id, 0L), nowNs) : "");
            printMore(stage, out);
            rowsBefore.put(id, rowsIn);
        }
        beforeNs = nowNs;
        for (final JsonElement cache : statistics.getAsJsonArray("caches"))
        {
            out.println("cache " + text(cache.getAsJsonObject(), "id") + "  size=" +
                text(cache.getAsJsonObject(), "size"));
        }
        printMemory(statistics, out);
        out.flush();
    }

    /** Prints holders of memory, the largest first. */
    private static void printMemory(final JsonObject statistics, final PrintWriter out)
    {
        if (!statistics.has("memory"))
        {
            return;
        }
        for (final JsonElement each : statistics.getAsJsonArray("memory"))
        {
            final JsonObject holder = each.getAsJsonObject();
            final String name = Stream.of("stage", "rule", "part").map(key -> text(holder, key))
                .filter(text -> !text.isEmpty()).collect(Collectors.joining("/"));
            out.printf("memory %s  %s%n", size(number(holder, "bytes")), name);
        }
    }

    private static String size(final long bytes)
    {
        return bytes < KIB ? bytes + " B" : bytes < KIB * KIB ?
            String.format(Locale.ROOT, "%.1f KiB", (double)bytes / KIB) :
            String.format(Locale.ROOT, "%.1f MiB", (double)bytes / KIB / KIB);
    }

    private String rate(final long rows, final long nowNs)
    {
        final double seconds = (nowNs - beforeNs) / NS_PER_SECOND;
        return seconds <= 0 ? "" : String.format(Locale.ROOT, "%.0f", rows / seconds);
    }

    private static long number(final JsonObject object, final String name)
    {
        return object.has(name) ? object.get(name).getAsLong() : 0;
    }

    /**
     * Prints statistics of a stage beyond the columns: reasons of rejections, queue, statistics of the stage itself.
     */
    private static void printMore(final JsonObject stage, final PrintWriter out)
    {
        stage.getAsJsonObject("rejectedBy").entrySet()
            .forEach(each -> out.println("    rejected " + each.getKey() + "=" + each.getValue()));
        final StringBuilder more = new StringBuilder();
        stage.entrySet().stream().filter(each -> !COLUMNS.contains(each.getKey()) && each.getValue().isJsonPrimitive())
            .forEach(each -> append(more, each));
        if (stage.has("own") && stage.get("own").isJsonObject())
        {
            stage.getAsJsonObject("own").entrySet().stream().filter(each -> each.getValue().isJsonPrimitive() &&
                !each.getValue().getAsString().isEmpty()).forEach(each -> append(more, each));
        }
        if (!more.isEmpty())
        {
            out.println("   " + more);
        }
    }

    private static void append(final StringBuilder more, final Map.Entry<String, JsonElement> each)
    {
        more.append(' ').append(each.getKey()).append('=').append(each.getValue().getAsString());
    }
}
