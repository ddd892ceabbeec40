package dev.millrace.command.management;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/** Formats the problems that a server reports. */
public final class ProblemPrinter
{
    private ProblemPrinter()
    {
    }

    /**
     * Formats a problem for users: {@code file:line:column: code: text}, then excerpt and hint.
     *
     * @param problem object with code, position, text, hint and excerpt
     * @return one to four lines
     */
    public static String format(final JsonObject problem)
    {
        final StringBuilder out = new StringBuilder();
        final String position = position(problem.get("position"));
        if (!position.isEmpty() && !"-".equals(position))
        {
            out.append(position).append(": ");
        }
        out.append(text(problem, "code")).append(": ").append(text(problem, "text"));
        if (!text(problem, "excerpt").isEmpty())
        {
            out.append('\n').append(text(problem, "excerpt"));
        }
        if (!text(problem, "hint").isEmpty())
        {
            out.append("\n    hint: ").append(text(problem, "hint"));
        }
        return out.toString();
    }

    private static String position(final JsonElement position)
    {
        if (position == null || position.isJsonNull())
        {
            return "";
        }
        if (!position.isJsonObject())
        {
            return position.getAsString();
        }
        final JsonObject parts = position.getAsJsonObject();
        final String line = text(parts, "line");
        return text(parts, "file") +
            (line.isEmpty() || "0".equals(line) ? "" : ":" + line + ":" + text(parts, "column"));
    }

    private static String text(final JsonObject object, final String name)
    {
        final JsonElement value = object.get(name);
        return value == null || value.isJsonNull() ? "" : value.getAsString();
    }
}
