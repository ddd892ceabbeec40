package dev.millrace.command.scaling.fault;

import com.google.gson.JsonObject;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.demo.GeneratorProcess;
import dev.millrace.command.scaling.fleet.Fleet;
import dev.millrace.command.scaling.fleet.Fleet.Instance;
import dev.millrace.command.scaling.fleet.GeneratorFleet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Kills the coordinator while another member deploys to all members: the remaining members must run the application,
 * and so must the coordinator after its restart.
 */
final class CoordinatorFault
{
    /** At this time, the bundle is being transferred. */
    private static final long UNDER_WAY_MS = 300;
    private static final double DEPLOYED_SECONDS = 30;
    private static final double BACK_SECONDS = 10;
    private static final double MOST_SECONDS = 90;
    private static final int FEED_SECONDS = 3;

    private CoordinatorFault()
    {
    }

    static void run(final FaultTestbed bench) throws IOException, InterruptedException
    {
        final int victim = coordinator(bench);
        final List<Instance> others = bench.others(victim);
        final Instance asked = others.get(0);
        final JsonObject gone = asked.client().group(Fleet.GROUP).uninstall(asked.application());
        if (!gone.get("done").getAsBoolean())
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0188", "the sample cannot be uninstalled, answer=" + gone,
                "run it with --keep and check logs/server.log of the domains");
        }
        final CompletableFuture<JsonObject> install = CompletableFuture.supplyAsync(() -> install(bench, asked));
        TimeUnit.MILLISECONDS.sleep(UNDER_WAY_MS);
        bench.kill(victim);
        bench.check(Fault.COORDINATOR, "all remaining members run the application", bench.await(
            "deploying without the coordinator", MOST_SECONDS, null, () -> areRunning(others)), DEPLOYED_SECONDS, "s");
        // The answer lists the killed member as missing or does not contain it; the check above is decisive.
        install.join();
        bench.check(Fault.COORDINATOR, "after its restart, the old coordinator is a member and runs it",
            bench.restart(victim, MOST_SECONDS, null), BACK_SECONDS, "s");
        for (int i = 0; i < bench.fleet().instances().size(); i++)
        {
            bench.expected().restart(i);
        }
        final GeneratorFleet generators = bench.feedAll(FEED_SECONDS);
        for (int i = 0; i < bench.fleet().instances().size(); i++)
        {
            final GeneratorProcess generator = generators.of(i);
            bench.played(i, generator);
        }
        bench.check(Fault.COORDINATOR, "lost, rejected, missing or excess rows of all, after a new load",
            bench.wrongRows(bench.settled(), i -> true), 0, "rows");
    }

    private static int coordinator(final FaultTestbed bench) throws InterruptedException
    {
        final List<Instance> instances = bench.fleet().instances();
        final String name = instances.get(0).client().server().getAsJsonObject("cluster").get("coordinator")
            .getAsString();
        for (int i = 0; i < instances.size(); i++)
        {
            if (name.equals(instances.get(i).name()))
            {
                return i;
            }
        }
        throw new IllegalStateException("the coordinator is not one of the instances, name=" + name);
    }

    private static JsonObject install(final FaultTestbed bench, final Instance asked)
    {
        try
        {
            return asked.client().group(Fleet.GROUP).install(bench.home().signalGeneration());
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while deploying", e);
        }
    }

    private static boolean areRunning(final List<Instance> instances) throws InterruptedException
    {
        for (final Instance instance : instances)
        {
            if (!FaultTestbed.isRunning(instance.client(), instance.application()))
            {
                return false;
            }
        }
        return true;
    }
}
