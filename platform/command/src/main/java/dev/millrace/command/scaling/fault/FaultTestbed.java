package dev.millrace.command.scaling.fault;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.demo.GeneratorProcess;
import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.Home;
import dev.millrace.command.instance.InstanceProcess;
import dev.millrace.command.management.ManagementClient;
import dev.millrace.command.scaling.ScalingRun;
import dev.millrace.command.scaling.fleet.ExpectedOutput;
import dev.millrace.command.scaling.fleet.Fleet;
import dev.millrace.command.scaling.fleet.Fleet.Instance;
import dev.millrace.command.scaling.fleet.GeneratorFleet;
import dev.millrace.command.scaling.fleet.Progress;
import dev.millrace.command.scaling.fleet.Sample;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;

/** The instances under test, and functions that all faults need: waiting, feeding, restarting, counting. */
final class FaultTestbed
{
    /** Each poll queries all instances; twenty polls per second of ten instances would be a load themselves. */
    private static final long POLL_MS = 250;
    private static final double BEGIN_SECONDS = 60;
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(5);
    private static final double NS_PER_SECOND = 1e9;
    private static final long KILL_SECONDS = 10;

    private final Home home;
    private final FaultSettings settings;
    private final Fleet fleet;
    private final ExpectedOutput expected;
    private final CleanupStack cleanup;
    private final Progress progress;
    private final List<FaultCheck> checks = new ArrayList<>();

    /** A condition to wait for. */
    interface Condition
    {
        boolean holds() throws InterruptedException, IOException;
    }

    FaultTestbed(final Home home, final FaultSettings settings, final Fleet fleet, final ExpectedOutput expected,
        final CleanupStack cleanup, final Progress progress)
    {
        this.home = home;
        this.settings = settings;
        this.fleet = fleet;
        this.expected = expected;
        this.cleanup = cleanup;
        this.progress = progress;
    }

    Home home()
    {
        return home;
    }

    FaultSettings settings()
    {
        return settings;
    }

    Fleet fleet()
    {
        return fleet;
    }

    ExpectedOutput expected()
    {
        return expected;
    }

    CleanupStack cleanup()
    {
        return cleanup;
    }

    Path directory()
    {
        return fleet.directory();
    }

    List<FaultCheck> checks()
    {
        return List.copyOf(checks);
    }

    void check(final Fault fault, final String what, final double measured, final double most, final String unit)
    {
        checks.add(new FaultCheck(fault, what, measured, most, unit));
    }

    List<Instance> others(final int than)
    {
        final List<Instance> others = new ArrayList<>(fleet.instances());
        others.remove(than);
        return others;
    }

    /** Feeds all instances and waits until all emit rows. */
    GeneratorFleet feedAll(final int seconds) throws IOException, InterruptedException
    {
        final List<Sample> before = fleet.samples();
        final GeneratorFleet generators = GeneratorFleet.start(home, fleet, settings.feed(seconds), cleanup);
        final double took = await("waiting for the first rows", BEGIN_SECONDS, null, () ->
        {
            final List<Sample> now = fleet.samples();
            for (int i = 0; i < now.size(); i++)
            {
                if (now.get(i).output() == before.get(i).output())
                {
                    return false;
                }
            }
            return true;
        });
        if (Double.isInfinite(took))
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0195", "an instance emits no rows",
                "run it with --keep and check the generators' logs");
        }
        return generators;
    }

    /**
     * Returns the seconds until the condition holds; infinite after the time limit. Samples the silence of other
     * instances while waiting.
     */
    double await(final String what, final double limitSeconds, final OutputGapProbe silence, final Condition condition)
        throws InterruptedException, IOException
    {
        final long startNs = System.nanoTime();
        while (true)
        {
            final boolean isLast = secondsSince(startNs) > limitSeconds;
            if (condition.holds())
            {
                return secondsSince(startNs);
            }
            if (isLast)
            {
                return Double.POSITIVE_INFINITY;
            }
            if (silence != null)
            {
                silence.look();
            }
            progress.phase(String.format("%s, %.0f s", what, secondsSince(startNs)));
            Thread.sleep(POLL_MS);
        }
    }

    /** Samples the silence of other instances for a time. */
    void watch(final String what, final double seconds, final OutputGapProbe silence)
        throws InterruptedException, IOException
    {
        await(what, seconds, silence, () -> false);
    }

    static double secondsSince(final long startNs)
    {
        return (System.nanoTime() - startNs) / NS_PER_SECOND;
    }

    void kill(final int victim) throws InterruptedException
    {
        final ProcessHandle process = ProcessHandle.of(fleet.instances().get(victim).pid()).orElseThrow();
        process.destroyForcibly();
        for (long i = 0; process.isAlive() && i < TimeUnit.SECONDS.toMillis(KILL_SECONDS); i++)
        {
            Thread.sleep(1);
        }
    }

    void signal(final int victim, final String name) throws IOException, InterruptedException
    {
        final String pid = Long.toString(fleet.instances().get(victim).pid());
        if (new ProcessBuilder("kill", "-" + name, pid).start().waitFor() != 0)
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0168", "signal cannot be sent, signal=" + name + " pid=" +
                pid, "the process may have ended: run it with --keep and check its logs");
        }
    }

    /** Restarts a killed instance; returns the seconds until it is a member and runs the application. */
    double restart(final int victim, final double limitSeconds, final OutputGapProbe silence)
        throws IOException, InterruptedException
    {
        final long startNs = System.nanoTime();
        final Instance old = fleet.instances().get(victim);
        final InstanceProcess process =
            cleanup.open(() -> cleanup.add(InstanceProcess.startInBackground(old.domain())));
        if (Double.isInfinite(await("starting " + old.name() + " again", limitSeconds, silence, process::poll)))
        {
            throw process.tooLate((long)(limitSeconds * TimeUnit.SECONDS.toMillis(1)));
        }
        final Instance back = fleet.restarted(victim, process.process().pid(), old.domain().client());
        expected.restart(victim);
        final double left = limitSeconds - secondsSince(startNs);
        final double took = await(old.name() + " joins and deploys", left, silence, () ->
            Fleet.members(back.client()) == fleet.instances().size() && isRunning(back.client(), back.application()));
        return Double.isInfinite(took) ? took : secondsSince(startNs);
    }

    /** Whether an application runs on an instance; false when it does not respond. */
    static boolean isRunning(final ManagementClient client, final String application) throws InterruptedException
    {
        try
        {
            final JsonArray applications = client.applications();
            for (int i = 0; i < applications.size(); i++)
            {
                final JsonObject each = applications.get(i).getAsJsonObject();
                if (application.equals(each.get("name").getAsString()))
                {
                    return "RUNNING".equals(each.get("state").getAsString());
                }
            }
            return false;
        }
        catch (final CommandException e)
        {
            // It does not listen yet, or no longer; the deadline of the caller ends the wait.
            return false;
        }
    }

    /** Adds the summary of a generator. */
    void played(final int instance, final GeneratorProcess generator) throws IOException, InterruptedException
    {
        progress.phase("waiting for the end of the generators");
        expected.play(instance, GeneratorFleet.end(generator).rowsSent());
    }

    /** Returns a sample of each instance after all progress has ended. */
    List<Sample> settled() throws InterruptedException
    {
        List<Sample> samples = fleet.samples();
        long movedNs = System.nanoTime();
        while (!areAllRight(samples) && System.nanoTime() - movedNs < SETTLE_NS)
        {
            progress.phase("waiting for the last rows");
            Thread.sleep(POLL_MS);
            final List<Sample> next = fleet.samples();
            movedNs = total(next) == total(samples) ? movedNs : System.nanoTime();
            samples = next;
        }
        return samples;
    }

    private boolean areAllRight(final List<Sample> samples)
    {
        for (int i = 0; i < samples.size(); i++)
        {
            if (!ScalingRun.isRight(samples.get(i), expected, i))
            {
                return false;
            }
        }
        return true;
    }

    private static long total(final List<Sample> samples)
    {
        return samples.stream().mapToLong(sample ->
            sample.figures().accepted() + sample.figures().rejected() + sample.output()).sum();
    }

    /** Returns the number of lost, rejected, missing and excess rows at the selected instances. */
    long wrongRows(final List<Sample> samples, final IntPredicate counts)
    {
        long wrong = 0;
        for (int i = 0; i < samples.size(); i++)
        {
            if (counts.test(i))
            {
                wrong += Math.abs(samples.get(i).figures().accepted() - expected.sent(i)) +
                    Math.abs(samples.get(i).figures().signals() - expected.counts(i).signals()) +
                    Math.abs(samples.get(i).figures().trends() - expected.counts(i).trends()) +
                    samples.get(i).figures().rejected();
            }
        }
        return wrong;
    }
}
