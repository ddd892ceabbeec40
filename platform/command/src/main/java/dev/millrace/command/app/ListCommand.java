package dev.millrace.command.app;

import com.google.gson.JsonArray;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.management.ManagementClient;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** Lists applications. */
@Command(
    name = "list", mixinStandardHelpOptions = true,
    description = "Lists the applications of an instance with their states and problems.",
    footer = {"", "Examples:", "  millrace app list", "  millrace app list --format json",
        "  millrace app list --watch"})
public final class ListCommand extends WatchedCommand
{
    @Override
    int show(final ManagementClient client, final boolean isJson, final PrintWriter out)
        throws InterruptedException
    {
        final JsonArray applications = client.applications();
        if (isJson)
        {
            print(applications, out);
            return ExitCode.DONE;
        }
        if (applications.isEmpty())
        {
            out.println("no applications");
        }
        applications.forEach(application -> ApplicationSummary.print(application.getAsJsonObject(), out));
        return ExitCode.DONE;
    }
}
