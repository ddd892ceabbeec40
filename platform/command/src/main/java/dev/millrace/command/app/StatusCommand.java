package dev.millrace.command.app;

import com.google.gson.JsonObject;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.InstanceOptions;
import dev.millrace.command.management.ManagementClient;
import dev.millrace.command.view.OutputFormat;
import dev.millrace.command.view.WatchOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows one application. */
@Command(
    name = "status", mixinStandardHelpOptions = true,
    description = {"Shows one application, and the causes of a degraded or failed state.",
        "States are STARTING, WAITING, RUNNING, DEGRADED, SUSPENDED, FAILED and STOPPED. For an application of a" +
            " group, the states on all members are shown. Returns 2 unless it is RUNNING everywhere."},
    footer = {"", "Examples:", "  millrace app status my.application",
        "  millrace app status --format json my.application",
        "  millrace app status --watch --interval 5 my.application"})
public final class StatusCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Mixin
    private InstanceOptions target;

    @Mixin
    private OutputFormat format;

    @Mixin
    private WatchOption watch;

    @Parameters(paramLabel = "NAME", description = "Application: the symbolic name of its bundle.")
    private String name;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final boolean isJson = format.isJson();
        final ManagementClient client = target.client();
        return watch.show(spec.commandLine().getOut(), out -> show(client, isJson, out));
    }

    private int show(final ManagementClient client, final boolean isJson, final PrintWriter out)
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
            OutputFormat.print(application, watch.isOn(), out);
        }
        else
        {
            ApplicationSummary.print(application, out);
        }
        return ApplicationSummary.isRunning(application) ? ExitCode.DONE : ExitCode.NOT_FOUND;
    }
}
