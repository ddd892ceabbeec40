package dev.millrace.command.application;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.management.ProblemPrinter;
import java.io.PrintWriter;
import java.util.Map;

/** Prints the answers of a group's members, one line each, followed by their problems. */
final class GroupReport
{
    private static final Map<String, String> WORDS = Map.of("DONE", "done", "FAILED", "failed",
        "GONE", "has left the cluster", "NONE", "no response yet");

    private final PrintWriter out;

    GroupReport(final PrintWriter out)
    {
        this.out = out;
    }

    /**
     * Prints an answer.
     *
     * @return exit code; success only when all members have made the change
     */
    int print(final JsonObject answer)
    {
        out.printf("%s  group=%s change=%d%n", answer.get("name").getAsString(), answer.get("group").getAsString(),
            answer.get("change").getAsLong());
        for (final JsonElement element : answer.getAsJsonArray("members"))
        {
            final JsonObject member = element.getAsJsonObject();
            final String word = member.get("answer").getAsString();
            out.println(String.format("    %-30s %-12s %s%s", member.get("serverName").getAsString(),
                WORDS.getOrDefault(word, word), member.get("state").getAsString(), kept(word, member)).stripTrailing());
            if (member.has("report"))
            {
                member.getAsJsonArray("report").forEach(line -> out.println("        " + line.getAsString()));
            }
            member.getAsJsonArray("problems").forEach(problem ->
                out.println("        " + ProblemPrinter.format(problem.getAsJsonObject()).replace("\n", "\n        ")));
        }
        final String note = answer.get("note").getAsString();
        if (!note.isEmpty())
        {
            out.println("note: " + note);
        }
        out.flush();
        return answer.get("done").getAsBoolean() ? ExitCode.DONE : ExitCode.FAILED;
    }

    /** Returns the version that a failed member keeps. */
    private static String kept(final String word, final JsonObject member)
    {
        final long version = member.get("version").getAsLong();
        return !word.equals("FAILED") || version == 0 ? "" : "  keeps version " + version;
    }
}
