package dev.millrace.command.domain;

import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.OptionRange;
import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.ClusterSecret;
import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.DomainTemplate;
import dev.millrace.command.instance.Home;
import dev.millrace.command.instance.NamedPort;
import dev.millrace.command.instance.Ports;
import dev.millrace.command.instance.ProcessorSets;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Creates a domain from the default domain. */
@Command(
    name = "create", mixinStandardHelpOptions = true,
    description = {
        "Copies the default domain with a new name and new ports. Ports that are not specified are those" +
            " of the default domain plus a multiple of 100, chosen so that no process and no neighboring domain uses" +
            " them."},
    footer = {"", "Example:", "  millrace domain create market --netio-port 9102"})
final class CreateDomainCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "New directory; a simple name is created in the home directory.")
    private Path directory;

    @Option(names = "--netio-port", paramLabel = "PORT", description = "Management endpoint.")
    private Integer netio;

    @Option(names = "--loadgen-port", paramLabel = "PORT", description = "loadgen.port.")
    private Integer loadgen;

    @Option(names = "--timesync-port", paramLabel = "PORT", description = "timesync.port.")
    private Integer timesync;

    @Option(names = "--workers", paramLabel = "N", defaultValue = "0",
        description = "Threads of a partitioned rule; default: that of the server.")
    private int workers;

    @Option(names = "--processor-set", paramLabel = "SET",
        description = "Processors of the instance: 0-3 or 0,2; on Solaris the number of a set. Default: all.")
    private String processorSet;

    @Override
    public Integer call() throws IOException
    {
        final Home home = Home.find();
        final Path target = directory.getNameCount() == 1 && !directory.isAbsolute() ?
            home.domains().resolve(directory) : directory;
        final Ports next = DomainTemplate.nextPorts(home, target);
        final Ports ports = new Ports(chosen("--netio-port", netio, next.netio()),
            chosen("--loadgen-port", loadgen, next.loadgen()), chosen("--timesync-port", timesync, next.timesync()));
        final ProcessorSets sets = ProcessorSets.one("--processor-set", processorSet);
        DomainTemplate.check(target, ports);
        final Domain domain;
        try (CleanupStack cleanup = new CleanupStack(spec.commandLine().getErr()))
        {
            domain = cleanup.open(() -> DomainTemplate.create(home, target, ports, workers, sets));
            ClusterSecret.make(domain);
        }
        final PrintWriter out = spec.commandLine().getOut();
        out.println("created " + domain.directory());
        out.println("ports: netio=" + ports.netio() + " loadgen=" + ports.loadgen() + " timesync=" + ports.timesync());
        out.println("start it with " + domain.directory().resolve("startwlevs.sh"));
        return ExitCode.DONE;
    }

    private static int chosen(final String option, final Integer given, final int next)
    {
        if (given != null)
        {
            OptionRange.check(option, given, 0, NamedPort.MAX);
        }
        return given == null ? next : given;
    }
}
