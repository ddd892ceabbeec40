package dev.millrace.command.domain;

import dev.millrace.api.internal.StatusLine;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.OptionRange;
import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.DomainSelection;
import dev.millrace.command.instance.InstanceStarts;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Starts instances in the background. */
@Command(
    name = "start", mixinStandardHelpOptions = true,
    description = {
        "Starts instances in the background with their startwlevs.sh and waits until they run. They keep running when" +
            " the terminal is closed; their output goes to logs/server.log and logs/console.log. An instance that is" +
            " already running is not affected.",
        "Returns 1 and prints the end of its log when an instance does not start; its process is ended, and the" +
            " others continue. Ctrl-C ends all instances that this command has started."},
    footer = {
        "",
        "Examples:",
        "  millrace domain start defaultserver1 defaultserver2",
        "  millrace domain start 'defaultserver?*' --at-once 4",
        "  millrace domain start --all --below /srv/market"})
final class StartDomainCommand implements Callable<Integer>, InstanceStarts.Listener
{
    private static final long POLL_MS = 20;
    private static final int MAX_SECONDS = 3_600;
    private static final int MAX_AT_ONCE = 100;
    private static final double NS_PER_SECOND = 1e9;

    @Spec
    private CommandSpec spec;

    @Mixin
    private DomainSelection selection;

    @Option(names = "--timeout", paramLabel = "SECONDS", defaultValue = "60",
        description = "Limit for the start of one instance; default ${DEFAULT-VALUE}.")
    private int timeoutSeconds;

    @Option(names = "--at-once", paramLabel = "N",
        description = "Maximum number of concurrent starts; default: the number of processors.")
    private Integer atOnce;

    private final StatusLine progress = StatusLine.ofProcess(0, 0, System::nanoTime);
    private int running;
    private int failed;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        OptionRange.check("--timeout", timeoutSeconds, 1, MAX_SECONDS);
        final int most = atOnce == null ? Runtime.getRuntime().availableProcessors() : atOnce;
        OptionRange.check("--at-once", most, 1, MAX_AT_ONCE);
        final List<Domain> stopped = stopped(selection.domains());
        final long startNs = System.nanoTime();
        try (CleanupStack cleanup = new CleanupStack(spec.commandLine().getErr()); progress)
        {
            final InstanceStarts starts = cleanup.add(
                new InstanceStarts(stopped, most, TimeUnit.SECONDS.toMillis(timeoutSeconds)));
            while (cleanup.open(() -> step(starts)))
            {
                progress.show(String.format("starting: %d of %d run, %d are starting, %.0f s", running,
                    stopped.size(), starts.starting(), (System.nanoTime() - startNs) / NS_PER_SECOND));
                Thread.sleep(POLL_MS);
            }
            cleanup.awaitEndIfInterrupted();
            starts.release();
        }
        if (stopped.size() > 1)
        {
            out().printf("%d of %d run, %.1f s%n", running, stopped.size(),
                (System.nanoTime() - startNs) / NS_PER_SECOND);
        }
        out().flush();
        return failed == 0 ? ExitCode.DONE : ExitCode.FAILED;
    }

    /** Returns the instances to start; prints the others as already running. */
    private List<Domain> stopped(final List<Domain> domains)
    {
        final List<Domain> stopped = new ArrayList<>();
        for (final Domain domain : domains)
        {
            final Optional<Long> pid = domain.pid();
            if (pid.isPresent())
            {
                out().printf("%-25s already running, pid %d%n", domain.name(), pid.get());
            }
            else
            {
                stopped.add(domain);
            }
        }
        out().flush();
        return stopped;
    }

    private boolean step(final InstanceStarts starts) throws IOException
    {
        try
        {
            return starts.step(this);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    @Override
    public void running(final Domain domain, final long pid, final double seconds)
    {
        running++;
        progress.clear();
        out().printf("%-25s RUNNING, pid %d, %s, %.1f s%n", domain.name(), pid, url(domain), seconds);
        out().flush();
    }

    private static String url(final Domain domain)
    {
        try
        {
            return domain.url();
        }
        catch (final IOException e)
        {
            return "(address cannot be read: " + e + ")";
        }
    }

    @Override
    public void failed(final Domain domain, final CommandException reason)
    {
        failed++;
        progress.clear();
        spec.commandLine().getErr().println(reason.getMessage());
    }

    private PrintWriter out()
    {
        return spec.commandLine().getOut();
    }
}
