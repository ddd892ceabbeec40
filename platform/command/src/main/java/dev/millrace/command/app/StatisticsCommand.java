package dev.millrace.command.app;

import com.google.gson.JsonObject;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.management.ManagementClient;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows the statistics of one application. */
@Command(
    name = "statistics", mixinStandardHelpOptions = true,
    description = {"Shows the statistics of a running application: rows in, out and rejected per stage, the reasons" +
        " of rejections, statistics of the stage, and caches.",
        "With --watch also rows in per second since the previous block. JSON contains all statistics."},
    footer = {"", "Examples:", "  millrace app statistics my.application",
        "  millrace app statistics --watch my.application", "  millrace app statistics --format json my.application"})
public final class StatisticsCommand extends WatchedCommand
{
    private final StatisticsTable table = new StatisticsTable(System::nanoTime);

    @Parameters(paramLabel = "NAME", description = "Application: the symbolic name of its bundle.")
    private String name;

    @Override
    int show(final ManagementClient client, final boolean isJson, final PrintWriter out)
        throws InterruptedException
    {
        final JsonObject statistics = client.statistics(name);
        if (isJson)
        {
            print(statistics, out);
        }
        else
        {
            table.print(statistics, out);
        }
        return ExitCode.DONE;
    }
}
