package dev.millrace.command.app;

import com.google.gson.JsonArray;
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
import picocli.CommandLine.Spec;

/** Lists applications. */
@Command(
    name = "list", mixinStandardHelpOptions = true,
    description = "Lists the applications of an instance with their states and problems.",
    footer = {"", "Examples:", "  millrace app list", "  millrace app list --format json",
        "  millrace app list --watch"})
public final class ListCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Mixin
    private InstanceOptions target;

    @Mixin
    private OutputFormat format;

    @Mixin
    private WatchOption watch;

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
        final JsonArray applications = client.applications();
        if (isJson)
        {
            OutputFormat.print(applications, watch.isOn(), out);
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
