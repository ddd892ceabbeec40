package dev.millrace.command.recording;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.InstanceOptions;
import dev.millrace.command.view.OutputFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows and deletes datasets of recorded events. */
@Command(
    name = "events",
    description = "Lists and deletes the datasets of recorded events of an instance.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "VERB",
    footer = {
        "",
        "Examples:",
        "  millrace events list",
        "  millrace events delete monday"})
public final class EventsCommand implements Runnable
{
    private static final String TITLE = "DATASET";

    @Spec
    private CommandSpec spec;

    @Override
    public void run()
    {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    @Command(name = "list", mixinStandardHelpOptions = true,
        description = {"Lists the datasets, with the times of their first and last rows in UTC.",
            "Rows of datasets of more than 1 GiB are not counted."},
        footer = {"", "Examples:", "  millrace events list", "  millrace events list --format json"})
    int list(@Mixin final InstanceOptions target, @Mixin final OutputFormat format)
        throws IOException, InterruptedException
    {
        final boolean isJson = format.isJson();
        final JsonArray datasets = target.client().recordings().datasets();
        final PrintWriter out = spec.commandLine().getOut();
        if (isJson)
        {
            OutputFormat.print(datasets, false, out);
            return ExitCode.DONE;
        }
        if (datasets.isEmpty())
        {
            out.println("no datasets");
        }
        else
        {
            print(datasets, out);
        }
        out.flush();
        return ExitCode.DONE;
    }

    private static void print(final JsonArray datasets, final PrintWriter out)
    {
        final int width = datasets.asList().stream().mapToInt(each -> text(each.getAsJsonObject(), "dataset").length())
            .max().orElse(0);
        final String line = "%-" + Math.max(width, TITLE.length()) + "s  %14s  %14s  %-20.20s  %-20.20s  %-9s  %s%n";
        out.printf(line, TITLE, "ROWS", "BYTES", "FIRST", "LAST", "RECORDING", "TYPES");
        for (final JsonElement each : datasets)
        {
            final JsonObject dataset = each.getAsJsonObject();
            out.printf(line, text(dataset, "dataset"), text(dataset, "rows"), text(dataset, "bytes"),
                seconds(text(dataset, "first")), seconds(text(dataset, "last")),
                text(dataset, "recordedBy").equals("-") ? "no" : "yes", dataset.getAsJsonArray("types").asList()
                    .stream().map(JsonElement::getAsString).collect(Collectors.joining(" ")));
            if (!text(dataset, "problem").equals("-"))
            {
                out.println("    " + text(dataset, "problem"));
            }
        }
    }

    private static String seconds(final String time)
    {
        return time.replaceFirst("\\.\\d+", "");
    }

    @Command(name = "delete", mixinStandardHelpOptions = true,
        description = "Deletes a dataset with all its rows. Refused while a stage records into it.",
        footer = {"", "Example:", "  millrace events delete monday"})
    int delete(@Mixin final InstanceOptions target,
        @Parameters(paramLabel = "DATASET", description = "Name of the dataset.") final String dataset)
        throws IOException, InterruptedException
    {
        target.client().recordings().delete(dataset);
        spec.commandLine().getOut().println("deleted " + dataset);
        spec.commandLine().getOut().flush();
        return ExitCode.DONE;
    }

    private static String text(final JsonObject object, final String name)
    {
        final JsonElement value = object.get(name);
        return value == null || value.isJsonNull() ? "-" : value.getAsString();
    }
}
