package dev.millrace.command.domain;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.DomainSelection;
import dev.millrace.command.instance.InstanceOptions;
import dev.millrace.command.instance.InstanceStop;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Stops instances. */
@Command(
    name = "stop", mixinStandardHelpOptions = true,
    description = {
        "Stops instances and waits until their processes have ended. The process is identified by the domain" +
            " directory, so that an instance with the same configured ports is never stopped by mistake.",
        "Returns 2 when a named instance does not run, 1 when an instance does not end in time."},
    footer = {
        "",
        "Examples:",
        "  millrace domain stop defaultserver1 defaultserver2",
        "  millrace domain stop --all",
        "  millrace domain stop --domain /srv/market",
        "  millrace domain stop --url http://127.0.0.1:9002 --user operator --password"})
final class StopDomainCommand implements Callable<Integer>
{
    private static final long POLL_MS = 50;

    @Spec
    private CommandSpec spec;

    @Mixin
    private DomainSelection selection;

    @Mixin
    private InstanceOptions target;

    @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "30",
        description = "Maximum wait; default ${DEFAULT-VALUE}.")
    private int timeoutSeconds;

    private int exitCode = ExitCode.DONE;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        await(selection.isGiven() ? requestAll() : List.of(requestOne()));
        return exitCode;
    }

    private InstanceStop requestOne() throws IOException, InterruptedException
    {
        return target.isAddressOnly() ? InstanceStop.request(target.client()) :
            InstanceStop.request(target.domain(), target.client(), target.saysHow());
    }

    private List<InstanceStop> requestAll() throws IOException, InterruptedException
    {
        final List<InstanceStop> stops = new ArrayList<>();
        for (final Domain domain : selection.domains())
        {
            if (domain.process().isEmpty() && !selection.isNamed(domain))
            {
                continue;
            }
            try
            {
                stops.add(InstanceStop.request(domain, domain.client(), false));
            }
            catch (final CommandException e)
            {
                say(e);
            }
        }
        if (stops.isEmpty() && exitCode == ExitCode.DONE)
        {
            out().println("no instance is running");
            out().flush();
        }
        return stops;
    }

    private void await(final List<InstanceStop> stops) throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(timeoutSeconds);
        final List<InstanceStop> left = new ArrayList<>(stops);
        while (!left.isEmpty() && System.nanoTime() < deadlineNs)
        {
            takeGone(left, out());
            if (!left.isEmpty())
            {
                Thread.sleep(POLL_MS);
            }
        }
        for (final InstanceStop stop : left)
        {
            say(new CommandException(
                ExitCode.FAILED, "CMD-0132", "instance does not stop, domain=" + stop.name() + " pid=" +
                stop.process().pid() + " limitSeconds=" + timeoutSeconds, "check logs/server.log of its domain"));
        }
    }

    /**
     * Removes ended instances from the list and prints them. Each instance is checked once, because it may end between
     * two checks.
     */
    static void takeGone(final List<InstanceStop> left, final PrintWriter out)
    {
        left.removeIf(stop ->
        {
            final boolean isGone = stop.isGone();
            if (isGone)
            {
                out.println("stopped " + stop.name() +
                    (stop.process() == null ? "" : ", pid " + stop.process().pid()));
                out.flush();
            }
            return isGone;
        });
    }

    private void say(final CommandException e)
    {
        spec.commandLine().getErr().println(e.getMessage());
        exitCode = exitCode == ExitCode.FAILED ? exitCode : e.exitCode();
    }

    private PrintWriter out()
    {
        return spec.commandLine().getOut();
    }
}
