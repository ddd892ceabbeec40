package dev.millrace.command.app;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.millrace.command.management.ProblemPrinter;
import java.io.PrintWriter;

/** Formats an application for users: one line, followed by its problems. */
public final class ApplicationSummary
{
    private ApplicationSummary()
    {
    }

    /**
     * Prints an application.
     *
     * @param application as returned by the server
     */
    public static void print(final JsonObject application, final PrintWriter out)
    {
        final String group = text(application, "group");
        out.printf("%-45s %-12s %s%s%n", text(application, "name"), text(application, "version"),
            text(application, "state"), group.isEmpty() ? "" : "  group=" + group);
        if (!text(application, "waitingFor").isEmpty())
        {
            out.println("    waiting for: " + text(application, "waitingFor"));
        }
        if (!text(application, "error").isEmpty())
        {
            out.println("    " + text(application, "error").replace("\n", "\n    "));
        }
        else
        {
            printCauses(application, out);
        }
        members(application).forEach(member -> out.printf("    member %-30s %s%n",
            text(member.getAsJsonObject(), "serverName"), text(member.getAsJsonObject(), "state")));
        if (application.has("warnings"))
        {
            application.getAsJsonArray("warnings").forEach(warning -> out.println(
                "    warning: " + ProblemPrinter.format(warning.getAsJsonObject()).replace("\n", "\n    ")));
        }
        out.flush();
    }

    private static JsonArray members(final JsonObject application)
    {
        return application.has("members") ? application.getAsJsonArray("members") : new JsonArray();
    }

    /** Whether it is RUNNING, on all known members. */
    static boolean isRunning(final JsonObject application)
    {
        return "RUNNING".equals(text(application, "state")) && members(application).asList().stream()
            .allMatch(member -> "RUNNING".equals(text(member.getAsJsonObject(), "state")));
    }

    /** Prints the causes of a state other than RUNNING. */
    static void printCauses(final JsonObject holder, final PrintWriter out)
    {
        final JsonArray causes = holder.has("causes") ? holder.getAsJsonArray("causes") : new JsonArray();
        for (final JsonElement each : causes)
        {
            final JsonObject cause = each.getAsJsonObject();
            out.printf("    cause: %s stage=%s since=%.19s count=%s%n        %s%n", text(cause, "code"),
                text(cause, "stage"), text(cause, "since"), text(cause, "count"), text(cause, "text"));
        }
    }

    /**
     * Returns a value as a string.
     *
     * @param object has it or not
     * @param name   of the value
     * @return empty when it is missing, null or an empty list
     */
    public static String text(final JsonObject object, final String name)
    {
        final JsonElement value = object.get(name);
        if (value == null || value.isJsonNull() || value.isJsonArray() && value.getAsJsonArray().isEmpty())
        {
            return "";
        }
        return value.isJsonPrimitive() ? value.getAsString() : value.toString();
    }
}
