package dev.millrace.command.application;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;

/** Prints the effect of a rule change or an update on the state of queries. Stateless. */
public final class RuleChangeLines
{
    private static final Map<String, String> WORDS = Map.of("KEPT", "keeps its state", "STARTED", "started",
        "RESTARTED", "restarted", "STOPPED", "stopped");

    private RuleChangeLines()
    {
    }

    /** Prints a line per query, then notes. */
    public static void print(final PrintWriter out, final JsonObject change)
    {
        for (final JsonElement each : change.getAsJsonArray("queries"))
        {
            final JsonObject query = each.getAsJsonObject();
            final String action = query.get("action").getAsString();
            final String lost = query.get("lostState").getAsString();
            out.printf("%-24s %s%s%n", query.get("id").getAsString(),
                WORDS.getOrDefault(action, action.toLowerCase(Locale.ROOT)),
                action.equals("KEPT") || action.equals("STARTED") ? "" :
                    lost.isEmpty() ? ", no state lost" : ", lost: " + lost);
        }
        printNotes(out, change);
    }

    /** Prints an update: the queries of each processor, notes, and how long events waited. */
    public static void printUpdate(final PrintWriter out, final JsonObject update)
    {
        for (final JsonElement each : update.getAsJsonArray("processors"))
        {
            final JsonObject processor = each.getAsJsonObject();
            out.println("processor " + processor.get("processor").getAsString());
            print(out, processor);
        }
        printNotes(out, update);
        printPause(out, update);
    }

    /** Prints how long events waited. */
    public static void printPause(final PrintWriter out, final JsonObject change)
    {
        out.println("events waited for " + change.get("pausedMicros").getAsLong() + " us");
    }

    private static void printNotes(final PrintWriter out, final JsonObject change)
    {
        change.getAsJsonArray("notes").forEach(note -> out.println("note: " + note.getAsString()));
    }
}
