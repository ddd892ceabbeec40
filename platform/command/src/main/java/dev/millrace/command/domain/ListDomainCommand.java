package dev.millrace.command.domain;

import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.DomainSelection;
import dev.millrace.command.instance.Home;
import dev.millrace.command.instance.InstanceState;
import dev.millrace.command.view.OutputFormat;
import dev.millrace.command.view.WatchOption;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists domains. */
@Command(
    name = "list", mixinStandardHelpOptions = true,
    description = "Lists domains with their processes and ports without connecting to instances; see also status.",
    footer = {"", "Examples:", "  millrace domain list", "  millrace domain list --below /srv/market",
        "  millrace domain list --format json", "  millrace domain list --watch --interval 5"})
final class ListDomainCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = "--below", paramLabel = "DIR",
        description = "Directory with domains; default: user_projects/domains of the home directory.")
    private Path below;

    @Mixin
    private OutputFormat format;

    @Mixin
    private WatchOption watch;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final boolean isJson = format.isJson();
        return watch.show(spec.commandLine().getOut(), out -> show(isJson, out));
    }

    private int show(final boolean isJson, final PrintWriter out) throws IOException
    {
        final List<InstanceState> states = new ArrayList<>();
        for (final Domain domain : below == null ? Domain.below(Home.find().domains()) : DomainSelection.below(below))
        {
            states.add(InstanceState.seen(domain));
        }
        DomainTable.print(states, isJson, watch.isOn(), out);
        return ExitCode.DONE;
    }
}
