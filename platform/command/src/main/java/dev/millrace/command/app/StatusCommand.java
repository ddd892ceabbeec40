package dev.millrace.command.app;

import com.google.gson.JsonObject;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.management.ManagementClient;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows one application. */
@Command(
    name = "status", mixinStandardHelpOptions = true,
    description = {"Shows one application, and the causes of a degraded or failed state.",
        "States are STARTING, WAITING, RUNNING, DEGRADED, SUSPENDED, FAILED and STOPPED. For an application of a" +
            " group, the states on all members are shown. Returns 2 unless it is RUNNING everywhere."},
    footer = {"", "Examples:", "  millrace app status my.application",
        "  millrace app status --format json my.application",
        "  millrace app status --watch --interval 5 my.application"})
public final class StatusCommand extends WatchedCommand
{
    @Parameters(paramLabel = "NAME", description = "Application: the symbolic name of its bundle.")
    private String name;

    @Override
    int show(final ManagementClient client, final boolean isJson, final PrintWriter out)
        throws InterruptedException
    {
        final JsonObject application = client.application(name);
        final String group = ApplicationSummary.text(application, "group");
        if (!group.isEmpty())
        {
            application.add("members", client.group(group).progress(name).get("members"));
        }
        if (isJson)
        {
            print(application, out);
        }
        else
        {
            ApplicationSummary.print(application, out);
        }
        return ApplicationSummary.isRunning(application) ? ExitCode.DONE : ExitCode.NOT_FOUND;
    }
}
