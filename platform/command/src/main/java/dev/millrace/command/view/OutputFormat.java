package dev.millrace.command.view;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** Option of commands that print tables for users or JSON for programs. */
public final class OutputFormat
{
    private static final Gson PRETTY =
        new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().serializeNulls().create();
    private static final Gson LINE = new GsonBuilder().disableHtmlEscaping().serializeNulls().create();

    @Option(names = "--format", paramLabel = "table|json", defaultValue = "table",
        description = "table for users (the default), json for programs.")
    private String format;

    /** Whether JSON is requested. */
    public boolean isJson()
    {
        if (!"table".equals(format) && !"json".equals(format))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0201", "no such format, format=" + format,
                "use --format table or --format json");
        }
        return "json".equals(format);
    }

    /**
     * Prints JSON.
     *
     * @param isOneLine whether to print one line per element
     */
    public static void print(final JsonElement element, final boolean isOneLine, final PrintWriter out)
    {
        out.println(isOneLine ? line(element) : PRETTY.toJson(element));
        out.flush();
    }

    /** JSON as a line, without its end. */
    public static String line(final JsonElement element)
    {
        return LINE.toJson(element);
    }
}
