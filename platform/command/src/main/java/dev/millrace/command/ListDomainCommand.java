package dev.millrace.command;

import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.DomainSelection;
import dev.millrace.command.instance.Home;
import dev.millrace.command.instance.InstanceState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists domains. */
@Command(
    name = "list", mixinStandardHelpOptions = true,
    description = "Lists domains with their processes and ports; asks no instance, see status for that.",
    footer = {"", "Examples:", "  millrace domain list", "  millrace domain list --below /srv/market"})
final class ListDomainCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = "--below", paramLabel = "DIR",
        description = "Directory with domains; default: user_projects/domains of the home directory.")
    private Path below;

    @Override
    public Integer call() throws IOException
    {
        final List<InstanceState> states = new ArrayList<>();
        for (final Domain domain : below == null ? Home.find().listDomains() : DomainSelection.below(below))
        {
            states.add(InstanceState.seen(domain));
        }
        DomainTable.print(states, spec.commandLine().getOut());
        return ExitCode.DONE;
    }
}
