package dev.millrace.command.recording;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.millrace.command.view.OutputFormat;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Prints recordings or playbacks of an application. */
final class RecordingTable
{
    private static final int LEAST_WIDTH = 7;

    /** {@code recording} or {@code playback}. */
    private final String kind;
    private final String title;
    /** Names of the figures in the last columns. */
    private final List<String> columns;

    private RecordingTable(final String kind, final String title, final List<String> columns)
    {
        this.kind = kind;
        this.title = title;
        this.columns = columns;
    }

    static RecordingTable ofRecordings()
    {
        return new RecordingTable("recording", "NOT RECORDED  STARTED", List.of("rowsNotRecorded", "started"));
    }

    static RecordingTable ofPlaybacks()
    {
        return new RecordingTable("playback", "      PASSES  POSITION", List.of("passes", "position"));
    }

    /**
     * Prints what a response contains.
     *
     * @param stage only this stage; {@code null} for all
     */
    void print(final JsonObject response, final String stage, final boolean isJson, final PrintWriter out)
    {
        final List<JsonObject> found = new ArrayList<>();
        for (final JsonElement each : response.getAsJsonArray("stages"))
        {
            final JsonObject object = each.getAsJsonObject();
            if (object.has(kind) && (stage == null || object.get("stage").getAsString().equals(stage)))
            {
                found.add(object);
            }
        }
        if (isJson)
        {
            final JsonArray array = new JsonArray();
            found.forEach(object ->
            {
                final JsonObject flat = new JsonObject();
                flat.add("stage", object.get("stage"));
                object.getAsJsonObject(kind).entrySet().forEach(each -> flat.add(each.getKey(), each.getValue()));
                array.add(flat);
            });
            OutputFormat.print(array, false, out);
            return;
        }
        print(found, out);
        out.flush();
    }

    private void print(final List<JsonObject> found, final PrintWriter out)
    {
        if (found.isEmpty())
        {
            out.println("no " + kind + 's');
            return;
        }
        final String line = "%-" + width(found, each -> text(each, "stage")) + "s  %-9s  %-" +
            width(found, each -> text(each.getAsJsonObject(kind), "dataset")) + "s  %14s  %s%n";
        out.printf(line, "STAGE", "STATE", "DATASET", "ROWS", title);
        for (final JsonObject each : found)
        {
            final JsonObject figures = each.getAsJsonObject(kind);
            out.printf(line, text(each, "stage"), text(figures, "state"), text(figures, "dataset"),
                text(figures, "rows"), String.format("%12s  %s", text(figures, columns.get(0)),
                    text(figures, columns.get(1))).stripTrailing());
            if (!text(figures, "failure").equals("-"))
            {
                out.println("    " + text(figures, "failure"));
            }
        }
    }

    /** A text of a row. */
    @FunctionalInterface
    private interface Cell
    {
        String of(JsonObject row);
    }

    private static int width(final List<JsonObject> rows, final Cell cell)
    {
        return Math.max(LEAST_WIDTH, rows.stream().mapToInt(row -> cell.of(row).length()).max().orElse(0));
    }

    private static String text(final JsonObject object, final String name)
    {
        final JsonElement value = object.get(name);
        return value == null || value.isJsonNull() ? "-" : value.getAsString();
    }
}
