package dev.millrace.command.domain;

import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.Home;
import dev.millrace.command.instance.InstanceOptions;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Creates, copies, starts, lists, shows and stops domains: one domain directory is one server instance. */
@Command(
    name = "domain",
    description = "Creates, copies, starts, lists, shows and stops domains: one domain directory is one server"
        + " instance.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "VERB",
    subcommands = {
        CreateDomainCommand.class, CloneDomainCommand.class, ListDomainCommand.class, StartDomainCommand.class,
        StatusDomainCommand.class, StopDomainCommand.class},
    footer = {
        "",
        "Examples:",
        "  millrace domain create /srv/market --netio-port 9102 --loadgen-port 9101 --timesync-port 9111",
        "  millrace domain clone defaultserver 10       defaultserver1 to 10, each with its own ports",
        "  millrace domain list",
        "  millrace domain status --domain /srv/market",
        "  millrace domain start 'defaultserver?*'      all of them, in the background",
        "  millrace domain status --all",
        "  millrace domain stop --all"})
public final class DomainCommand implements Runnable
{
    @Spec
    private CommandSpec spec;

    @Override
    public void run()
    {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    @Command(
        name = "add-user", mixinStandardHelpOptions = true,
        description = "Adds a user who may manage an instance with a password; the password is read from the terminal.",
        footer = {"", "Example:", "  millrace domain add-user --domain /srv/market operator"})
    int addUser(
        @Option(names = "--domain", paramLabel = "DIR", description = InstanceOptions.DOMAIN) final Path domain,
        @Parameters(paramLabel = "NAME", description = "Letters, digits, and . _ -") final String name)
        throws IOException, InterruptedException
    {
        return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp", Home.find().directory().resolve("lib") + "/*", "dev.millrace.launcher.AddUser",
            Domain.find(domain).directory().toString(), name).inheritIO().start().waitFor();
    }
}
