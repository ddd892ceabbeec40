package dev.millrace.command.scaling.fleet;

import com.google.gson.JsonObject;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.demo.SampleFigures;
import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.Domain;
import dev.millrace.command.instance.Home;
import dev.millrace.command.instance.InstanceStarts;
import dev.millrace.command.instance.Ports;
import dev.millrace.command.management.ManagementClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The instances of a study, each with the sample application. Not thread-safe. */
public final class Fleet
{
    /** Starting uses processor time: more concurrent starts only slow each other down. */
    private static final int AT_ONCE = 4;
    private static final long START_MS = 180_000;
    public static final String GROUP = "study";

    private static final long POLL_MS = 50;
    private static final long FORM_NS = TimeUnit.SECONDS.toNanos(60);

    private final Path directory;
    private final RunEnvironment surroundings;
    private final List<Instance> instances = new ArrayList<>();
    private double formedSeconds;
    private double deployedSeconds;

    /**
     * One instance.
     *
     * @param name        server name
     * @param domain      domain directory
     * @param pid         process id
     * @param client      its client
     * @param application name of the application on it
     */
    public record Instance(
        String name, Domain domain, Ports ports, long pid, ManagementClient client, String application)
    {
        public Sample sample() throws InterruptedException
        {
            final long beforeNs = System.nanoTime();
            final SampleFigures figures = SampleFigures.of(client.statistics(application));
            final long afterNs = System.nanoTime();
            return new Sample(beforeNs + (afterNs - beforeNs) / 2, figures, ProcessUsage.of(pid));
        }
    }

    private Fleet(final Path directory, final RunEnvironment surroundings)
    {
        this.directory = directory;
        this.surroundings = surroundings;
    }

    /** Starts all instances, waits until they form one cluster, and deploys to all. */
    public static Fleet start(final Home home, final ScalingSettings settings, final CleanupStack cleanup,
        final Progress progress)
        throws IOException, InterruptedException
    {
        final Path directory = cleanup.directory(settings.keep());
        if (settings.instances() > 1)
        {
            CdsArchive.prepare(cleanup.open(() -> FleetDomains.alone(home, directory.resolve("alone"))), cleanup,
                progress);
        }
        final Fleet fleet = new Fleet(directory, settings.surroundings());
        final List<FleetDomains.Made> made =
            cleanup.open(() -> FleetDomains.make(home, directory, settings.instances(), settings.surroundings()));
        final long startNs = System.nanoTime();
        final Map<Domain, Long> pids = startAll(made, cleanup, progress);
        final List<ManagementClient> clients = new ArrayList<>();
        for (final FleetDomains.Made each : made)
        {
            clients.add(each.domain().client());
        }
        awaitFormed(clients, progress);
        fleet.formedSeconds = secondsSince(startNs);
        progress.phase("deploying");
        final String application = deploy(home, clients);
        for (int i = 0; i < made.size(); i++)
        {
            final FleetDomains.Made each = made.get(i);
            fleet.instances.add(
                new Instance(each.name(), each.domain(), each.ports(), pids.get(each.domain()), clients.get(i),
                    application));
        }
        fleet.deployedSeconds = secondsSince(startNs);
        return fleet;
    }

    private static double secondsSince(final long startNs)
    {
        return (System.nanoTime() - startNs) / 1e9;
    }

    private static Map<Domain, Long> startAll(
        final List<FleetDomains.Made> made, final CleanupStack cleanup, final Progress progress)
        throws IOException, InterruptedException
    {
        final Map<Domain, Long> pids = new HashMap<>();
        final InstanceStarts starts = cleanup.add(
            new InstanceStarts(made.stream().map(FleetDomains.Made::domain).toList(), AT_ONCE, START_MS));
        final InstanceStarts.Listener listener = new InstanceStarts.Listener()
        {
            @Override
            public void running(final Domain domain, final long pid, final double seconds)
            {
                pids.put(domain, pid);
            }

            @Override
            public void failed(final Domain domain, final CommandException reason)
            {
                throw reason;
            }
        };
        while (starts.step(listener))
        {
            progress.phase("starting, " + pids.size() + " of " + made.size());
            Thread.sleep(POLL_MS);
        }
        return pids;
    }

    private static void awaitFormed(final List<ManagementClient> clients, final Progress progress)
        throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + FORM_NS;
        for (int i = 0; clients.size() > 1 && i < clients.size(); i++)
        {
            progress.phase("forming the cluster");
            while (members(clients.get(i)) < clients.size())
            {
                if (System.nanoTime() > deadlineNs)
                {
                    throw new CommandException(ExitCode.FAILED, "CMD-0185", "the instances do not form one cluster," +
                        " instance=server" + (i + 1) + " sees=" + members(clients.get(i)) + " of=" + clients.size(),
                        "run it with --keep and check logs/server.log of the domains");
                }
                Thread.sleep(POLL_MS);
            }
        }
    }

    /** Returns the number of members that an instance reports; 0 without a cluster. */
    public static int members(final ManagementClient client) throws InterruptedException
    {
        final JsonObject cluster = client.server().getAsJsonObject("cluster");
        return cluster == null ? 0 : cluster.getAsJsonArray("members").size();
    }

    /** Deploys once, to the group of all members; a single instance has no group. */
    private static String deploy(final Home home, final List<ManagementClient> clients)
        throws IOException, InterruptedException
    {
        final ManagementClient first = clients.get(0);
        final boolean isAlone = clients.size() == 1;
        final JsonObject answer = isAlone ? first.install(home.signalGeneration()) :
            first.group(GROUP).install(home.signalGeneration());
        if (isAlone ? !"RUNNING".equals(answer.get("state").getAsString()) : !answer.get("done").getAsBoolean())
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0141", "the sample does not run, answer=" + answer,
                "run it with --keep and check logs/server.log of the domains");
        }
        return answer.get("name").getAsString();
    }

    public List<Instance> instances()
    {
        return List.copyOf(instances);
    }

    /** Replaces a restarted instance, which has a new process and a new token. */
    public Instance restarted(final int number, final long pid, final ManagementClient client)
    {
        final Instance old = instances.get(number);
        instances.set(number, new Instance(old.name(), old.domain(), old.ports(), pid, client, old.application()));
        return instances.get(number);
    }

    /** Returns a sample of each instance, in order. */
    public List<Sample> samples() throws InterruptedException
    {
        final List<Sample> samples = new ArrayList<>();
        for (final Instance instance : instances)
        {
            samples.add(instance.sample());
        }
        return samples;
    }

    RunEnvironment surroundings()
    {
        return surroundings;
    }

    public Path directory()
    {
        return directory;
    }

    /** From the start of the first process until all instances are members. */
    public double formedSeconds()
    {
        return formedSeconds;
    }

    /** From the start of the first process until the application ran on all instances. */
    public double deployedSeconds()
    {
        return deployedSeconds;
    }
}
