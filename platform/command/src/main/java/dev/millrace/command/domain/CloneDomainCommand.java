package dev.millrace.command.domain;

import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.OptionRange;
import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.ClonePlan;
import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.DomainStaging;
import dev.millrace.command.instance.Home;
import dev.millrace.command.instance.NamedPort;
import dev.millrace.command.instance.ProcessorSets;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Copies a domain several times. */
@Command(
    name = "clone", mixinStandardHelpOptions = true,
    description = {
        "Copies a domain N times into its parent directory, without var and logs. Copy number n is named SOURCEn, and" +
            " each of its ports is that of the source plus n times 100. All ports that startwlevs.sh sets with -D and" +
            " those in netio elements of config.xml are changed; with a cluster element also its server-name, which" +
            " becomes the name of the copy, and its identity. The domain's name does not change.",
        "Either all copies are created or none."},
    footer = {
        "",
        "Examples:",
        "  millrace domain clone defaultserver 10               defaultserver1 to defaultserver10",
        "  millrace domain clone defaultserver 5 --first 11     defaultserver11 to defaultserver15",
        "  millrace domain clone defaultserver 10 --processor-sets 0-127,128-255",
        "  millrace domain clone /srv/market/a 3 --prefix b --ports-from 9501 --port-step 20"})
final class CloneDomainCommand implements Callable<Integer>
{
    private static final int MAX_COPIES = 1_000;
    private static final int MAX_NUMBER = 10_000;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "SOURCE",
        description = "Domain directory; a simple name is also looked up in the home directory.")
    private Path source;

    @Parameters(index = "1", paramLabel = "N", description = "Number of copies, 1 to " + MAX_COPIES + ".")
    private int count;

    @Option(names = "--prefix", paramLabel = "NAME", description = "Prefix of the names; default: SOURCE's name.")
    private String prefix;

    @Option(names = "--first", paramLabel = "NUMBER", defaultValue = "1",
        description = "Number of the first copy; default ${DEFAULT-VALUE}.")
    private int first;

    @Option(names = "--ports-from", paramLabel = "PORT",
        description = "Lowest port of the first copy; default: that of the source plus one step per number.")
    private Integer portsFrom;

    @Option(names = "--port-step", paramLabel = "N", defaultValue = "" + ClonePlan.DEFAULT_STEP,
        description = "Difference between the ports of consecutive copies; default ${DEFAULT-VALUE}.")
    private int step;

    @Option(names = "--processor-sets", paramLabel = "SETS",
        description = "Processors of the copies, assigned round-robin: 0-3,4-7, or 0+2,1+3; on Solaris the numbers of" +
            " sets. Default: as in the source.")
    private String processorSets;

    @Override
    public Integer call() throws IOException
    {
        OptionRange.check("N", count, 1, MAX_COPIES);
        OptionRange.check("--first", first, 0, MAX_NUMBER);
        OptionRange.check("--port-step", step, 1, NamedPort.MAX);
        if (portsFrom != null)
        {
            OptionRange.check("--ports-from", portsFrom, 1, NamedPort.MAX);
        }
        final Domain domain = Domain.find(Domain.resolve(Home.find(), source));
        final ClonePlan plan = ClonePlan.of(domain, new ClonePlan.Wish(prefix == null ? domain.name() : prefix, first,
            count, step, portsFrom == null ? OptionalInt.empty() : OptionalInt.of(portsFrom),
            ProcessorSets.several("--processor-sets", processorSets)));
        print(make(domain, plan));
        return ExitCode.DONE;
    }

    private List<Domain> make(final Domain source, final ClonePlan plan) throws IOException
    {
        try (CleanupStack cleanup = new CleanupStack(spec.commandLine().getErr()))
        {
            final DomainStaging staged =
                cleanup.open(() -> cleanup.add(new DomainStaging(source.directory().getParent())));
            for (int i = 0; i < plan.count(); i++)
            {
                final int number = i;
                cleanup.open(() ->
                {
                    plan.copy(number, staged);
                    return number;
                });
            }
            return cleanup.open(staged::publish);
        }
    }

    private void print(final List<Domain> domains) throws IOException
    {
        final PrintWriter out = spec.commandLine().getOut();
        for (final Domain domain : domains)
        {
            out.printf("%-25s %s%n", domain.name(),
                domain.ports().stream().map(NamedPort::toString).collect(Collectors.joining(" ")));
        }
        out.println("created " + domains.size() + " in " + domains.get(0).directory().getParent());
        out.flush();
    }
}
