package dev.millrace.command.scaling;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.demo.GeneratorProcess.Summary;
import dev.millrace.command.demo.LoadProfile;
import dev.millrace.command.demo.TickFile;
import dev.millrace.command.instance.CleanupStack;
import dev.millrace.command.instance.Home;
import dev.millrace.command.scaling.ScalingRow.InstanceRow;
import dev.millrace.command.scaling.fleet.CpuUsage;
import dev.millrace.command.scaling.fleet.ExpectedOutput;
import dev.millrace.command.scaling.fleet.Fleet;
import dev.millrace.command.scaling.fleet.GeneratorFleet;
import dev.millrace.command.scaling.fleet.HiccupProbe;
import dev.millrace.command.scaling.fleet.Progress;
import dev.millrace.command.scaling.fleet.Sample;
import dev.millrace.command.scaling.fleet.ScalingSettings;
import dev.millrace.command.scaling.fleet.ScalingSettings.Step;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * Executes a study with one fleet; for each row, there is one generator per instance. A row is measured between two
 * samples while all generators send. When they have ended, the accepted and emitted rows since the start are compared
 * with the generators' summaries and with an independent computation. For the main thread.
 */
public final class ScalingRun
{
    private static final long POLL_MS = 50;
    private static final int MORE_SLACK = 4;
    private static final long BEGIN_NS = TimeUnit.SECONDS.toNanos(60);
    /** After so much time without progress, missing rows are considered lost. */
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(5);

    private final Home home;
    private final ScalingSettings settings;
    private final CleanupStack cleanup;
    private final Progress progress;
    private final Consumer<String> lines;
    private final SoFar soFar;

    /** Receives all rows so far, after each new row. */
    public interface SoFar
    {
        /**
         * @param result result of all rows so far
         * @throws IOException when it cannot be written
         */
        void measured(ScalingResult result) throws IOException;
    }

    private ScalingRun(final Home home, final ScalingSettings settings, final CleanupStack cleanup,
        final Consumer<String> state, final Consumer<String> lines, final SoFar soFar)
    {
        this.home = home;
        this.settings = settings;
        this.cleanup = cleanup;
        this.progress = new Progress(state, settings.totalSeconds());
        this.lines = lines;
        this.soFar = soFar;
    }

    /**
     * @param cleanup ends all started processes, also after Ctrl-C
     * @param state   receives the current state as one line
     * @param lines   receives the table, line by line
     * @param soFar   receives the result after each row, so that a failed row does not lose previous ones
     * @return all rows
     * @throws IOException when files cannot be read or written
     */
    public static ScalingResult run(final Home home, final ScalingSettings settings, final CleanupStack cleanup,
        final Consumer<String> state, final Consumer<String> lines, final SoFar soFar)
        throws IOException, InterruptedException
    {
        return new ScalingRun(home, settings, cleanup, state, lines, soFar).run();
    }

    private ScalingResult run() throws IOException, InterruptedException
    {
        final ExpectedOutput expected =
            new ExpectedOutput(TickFile.read(home.ticks(), home.signalGeneration()), settings.instances());
        final HiccupProbe probe = cleanup.open(() -> cleanup.add(HiccupProbe.start()));
        final Fleet fleet = Fleet.start(home, settings, cleanup, progress);
        lines.accept(ScalingTable.started(fleet.instances().size(), fleet.formedSeconds(), fleet.deployedSeconds()));
        lines.accept(ScalingTable.head());
        final List<ScalingRow> rows = new ArrayList<>();
        for (final Step step : settings.steps())
        {
            final ScalingRow row = row(fleet, step, expected, probe);
            rows.add(row);
            lines.accept(ScalingTable.line(row));
            progress.rows(rows.size(), settings.steps().size());
            soFar.measured(result(fleet, rows));
        }
        ScalingTable.instances(rows).forEach(lines);
        return result(fleet, rows);
    }

    private ScalingResult result(final Fleet fleet, final List<ScalingRow> rows)
    {
        return new ScalingResult(settings, fleet.formedSeconds(), fleet.deployedSeconds(), rows);
    }

    /** Repeats a row once with more time, for a machine that is so busy that generators do not start in time. */
    private ScalingRow row(final Fleet fleet, final Step step, final ExpectedOutput expected, final HiccupProbe probe)
        throws IOException, InterruptedException
    {
        final Optional<ScalingRow> row = tryRow(fleet, step, expected, probe, settings.slackSeconds());
        if (row.isPresent())
        {
            return row.get();
        }
        return tryRow(fleet, step, expected, probe, MORE_SLACK * settings.slackSeconds()).orElseThrow(() ->
            new CommandException(ExitCode.FAILED, "CMD-0163", "a load generator ended while it was measured, twice",
                "start fewer instances: this machine is too busy to start so many generators in time"));
    }

    /** Returns empty when a generator ended before the measurement. */
    private Optional<ScalingRow> tryRow(final Fleet fleet, final Step step, final ExpectedOutput expected,
        final HiccupProbe probe, final int slackSeconds) throws IOException, InterruptedException
    {
        final int lengthSec = settings.warmUpSeconds() + settings.seconds() + slackSeconds;
        final LoadProfile feed = new LoadProfile(step.connections(), step.eventsPerSec(), settings.ticksPerPacket(),
            lengthSec, 0,
            false, 0, LoadProfile.haveRoom(settings.instances()));
        final String text = step.connections() + " connections";
        final GeneratorFleet generators = GeneratorFleet.start(home, fleet, feed, cleanup);
        awaitBegin(fleet);
        progress.sleep(settings.warmUpSeconds(), text + ", warming up");
        probe.take();
        final List<Sample> before = fleet.samples();
        final CpuUsage.Moment cpuBefore = CpuUsage.Moment.now(fleet.instances(), generators);
        progress.sleep(settings.seconds(), text + ", measuring");
        final CpuUsage cpu = CpuUsage.Moment.now(fleet.instances(), generators).since(cpuBefore);
        final List<Sample> after = fleet.samples();
        final Histogram hiccups = probe.take();
        final boolean isWhole = generators.isSending();
        progress.sleep(isWhole ? slackSeconds : 0, text + ", ending");
        final List<Summary> summaries = generators.end();
        for (int i = 0; i < summaries.size(); i++)
        {
            expected.play(i, summaries.get(i).rowsSent());
        }
        final List<Sample> last = settle(fleet, expected);
        return isWhole ? Optional.of(assemble(fleet, step, expected, new Measured(before, after, last), summaries,
            cpu, hiccups)) : Optional.empty();
    }

    /** Samples at the beginning and the end of the measurement, and after the last output. */
    private record Measured(List<Sample> before, List<Sample> after, List<Sample> last)
    {
        double seconds(final int instance)
        {
            return (after.get(instance).atNs() - before.get(instance).atNs()) / 1e9;
        }

        double perSec(final int instance, final ToLongFunction<Sample> count)
        {
            return (count.applyAsLong(after.get(instance)) - count.applyAsLong(before.get(instance))) /
                seconds(instance);
        }
    }

    private ScalingRow assemble(final Fleet fleet, final Step step, final ExpectedOutput expected,
        final Measured measured, final List<Summary> summaries, final CpuUsage cpu, final Histogram hiccups)
    {
        final List<InstanceRow> instances = new ArrayList<>();
        long accepted = 0;
        long sent = 0;
        long output = 0;
        long expectedOutput = 0;
        for (int i = 0; i < summaries.size(); i++)
        {
            final Sample after = measured.after().get(i);
            final Sample last = measured.last().get(i);
            instances.add(new InstanceRow(fleet.instances().get(i).name(),
                measured.perSec(i, sample -> sample.figures().accepted()), measured.perSec(i, Sample::output),
                after.latencySince(measured.before().get(i)), after.use().residentMiB(), isRight(last, expected, i)));
            accepted += last.figures().accepted();
            sent += expected.sent(i);
            output += last.output();
            expectedOutput += expected.counts(i).signals() + expected.counts(i).trends();
        }
        return new ScalingRow(step, summaries.stream().mapToDouble(Summary::offeredPerSec).sum(), instances, accepted,
            sent, output, expectedOutput, cpu, hiccups);
    }

    /** Whether an instance has accepted and emitted exactly the expected rows. */
    public static boolean isRight(final Sample last, final ExpectedOutput expected, final int instance)
    {
        return last.figures().rejected() == 0 && last.figures().accepted() == expected.sent(instance) &&
            last.figures().signals() == expected.counts(instance).signals() &&
            last.figures().trends() == expected.counts(instance).trends();
    }

    private void awaitBegin(final Fleet fleet) throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + BEGIN_NS;
        final List<Sample> before = fleet.samples();
        for (int i = 0; i < before.size(); i++)
        {
            while (fleet.instances().get(i).sample().figures().accepted() == before.get(i).figures().accepted())
            {
                if (System.nanoTime() > deadlineNs)
                {
                    throw new CommandException(ExitCode.FAILED, "CMD-0164", "no events arrive, instance=" +
                        fleet.instances().get(i).name(), "run it with --keep and check the generators' logs");
                }
                progress.phase("waiting for the first events");
                Thread.sleep(POLL_MS);
            }
        }
    }

    /** Waits until all expected output was emitted, or there is no more progress. */
    private List<Sample> settle(final Fleet fleet, final ExpectedOutput expected) throws InterruptedException
    {
        List<Sample> samples = fleet.samples();
        long movedNs = System.nanoTime();
        while (!isAllRight(samples, expected) && System.nanoTime() - movedNs < SETTLE_NS)
        {
            progress.phase("waiting for the last rows");
            Thread.sleep(POLL_MS);
            final List<Sample> next = fleet.samples();
            if (total(next) != total(samples))
            {
                movedNs = System.nanoTime();
            }
            samples = next;
        }
        return samples;
    }

    private static boolean isAllRight(final List<Sample> samples, final ExpectedOutput expected)
    {
        for (int i = 0; i < samples.size(); i++)
        {
            if (!isRight(samples.get(i), expected, i))
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
}
