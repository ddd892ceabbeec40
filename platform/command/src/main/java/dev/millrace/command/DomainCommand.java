package dev.millrace.command;

import com.google.gson.JsonObject;
import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.Home;
import dev.millrace.command.instance.ManagementClient;
import dev.millrace.command.instance.Target;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes, copies, lists, shows and stops domains: one domain directory is one server instance. */
@Command(
    name = "domain",
    description = "Makes, copies, lists, shows and stops domains: one domain directory is one server instance.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "VERB",
    subcommands = {CreateDomainCommand.class, CloneDomainCommand.class},
    footer = {
        "",
        "Examples:",
        "  millrace domain create /srv/market --netio-port 9102 --loadgen-port 9101 --timesync-port 9111",
        "  millrace domain clone defaultserver 10       defaultserver1 to defaultserver10, each with its ports",
        "  millrace domain list",
        "  millrace domain status --domain /srv/market",
        "Start an instance with startwlevs.sh of its domain directory."})
final class DomainCommand implements Runnable
{
    private static final long STOP_POLL_MS = 50;

    @Spec
    private CommandSpec spec;

    @Override
    public void run()
    {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    @Command(
        name = "list", mixinStandardHelpOptions = true,
        description = "Lists the domains below the home directory.",
        footer = {"", "Example:", "  millrace domain list"})
    int list() throws IOException
    {
        for (final Domain domain : Home.find().listDomains())
        {
            out().printf("%-25s %-20s %s%n", domain.name(),
                domain.pid().map(pid -> "running, pid " + pid).orElse("stopped"), domain.url());
        }
        out().flush();
        return ExitCode.DONE;
    }

    @Command(
        name = "status", mixinStandardHelpOptions = true,
        description = "Shows the state of an instance. Returns 2 when it does not answer.",
        footer = {"", "Example:", "  millrace domain status --domain /srv/market"})
    int status(@Mixin final Target target) throws IOException, InterruptedException
    {
        final JsonObject server = target.client().server();
        server.entrySet().forEach(entry -> out().printf("%-14s %s%n", entry.getKey(),
            entry.getValue().isJsonPrimitive() ? entry.getValue().getAsString() : entry.getValue()));
        out().flush();
        return "RUNNING".equals(server.get("state").getAsString()) ? ExitCode.DONE : ExitCode.NOT_FOUND;
    }

    @Command(
        name = "stop", mixinStandardHelpOptions = true,
        description = "Stops an instance and waits until its process is gone.",
        footer = {"", "Example:", "  millrace domain stop --domain /srv/market"})
    int stop(
        @Mixin final Target target,
        @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "30",
            description = "How long to wait; default ${DEFAULT-VALUE}.")
        final int timeoutSeconds) throws IOException, InterruptedException
    {
        final ManagementClient client = target.client();
        final long pid = client.server().get("pid").getAsLong();
        shutdown(client);
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(timeoutSeconds);
        Optional<ProcessHandle> process = ProcessHandle.of(pid);
        while (process.map(ProcessHandle::isAlive).orElse(false))
        {
            if (System.nanoTime() > deadlineNs)
            {
                throw new CommandException(
                    ExitCode.FAILED, "CMD-0132", "instance does not stop, pid=" + pid +
                    " limitSeconds=" + timeoutSeconds, "see logs/server.log of its domain");
            }
            Thread.sleep(STOP_POLL_MS);
            process = ProcessHandle.of(pid);
        }
        out().println("stopped, pid " + pid);
        return ExitCode.DONE;
    }

    @Command(
        name = "add-user", mixinStandardHelpOptions = true,
        description = "Lets a user manage an instance by password; the password is read from the terminal.",
        footer = {"", "Example:", "  millrace domain add-user --domain /srv/market operator"})
    int addUser(
        @Mixin final Target target,
        @Parameters(paramLabel = "NAME", description = "Letters, digits, and . _ -") final String name)
        throws IOException, InterruptedException
    {
        return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp", Home.find().directory().resolve("lib") + "/*", "dev.millrace.launcher.AddUser",
            target.domain().directory().toString(), name).inheritIO().start().waitFor();
    }

    /** The instance may be gone before its answer is out. */
    private static void shutdown(final ManagementClient client) throws InterruptedException
    {
        try
        {
            client.shutdown();
        }
        catch (final CommandException e)
        {
            if (e.exitCode() != ExitCode.NOT_FOUND)
            {
                throw e;
            }
        }
    }

    private PrintWriter out()
    {
        return spec.commandLine().getOut();
    }
}
