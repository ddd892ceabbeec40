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

/** Shows the statistics of one application. */
@Command(
    name = "statistics", mixinStandardHelpOptions = true,
    description = {"Shows the statistics of a running application: rows in, out and rejected per stage, the reasons" +
        " of rejections, statistics of the stage, and caches.",
        "With --watch also rows in per second since the previous block. JSON contains all statistics."},
    footer = {"", "Examples:", "  millrace app statistics my.application",
        "  millrace app statistics --watch my.application", "  millrace app statistics --format json my.application"})
public final class StatisticsCommand implements Callable<Integer>
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
        final StatisticsTable table = new StatisticsTable(System::nanoTime);
        return watch.show(spec.commandLine().getOut(), out -> show(client, isJson, table, out));
    }

    private int show(final ManagementClient client, final boolean isJson, final StatisticsTable table,
        final PrintWriter out) throws InterruptedException
    {
        final JsonObject statistics = client.statistics(name);
        if (isJson)
        {
            OutputFormat.print(statistics, watch.isOn(), out);
        }
        else
        {
            table.print(statistics, out);
        }
        return ExitCode.DONE;
    }
}
