package dev.millrace.command.scaling.fault;

import dev.millrace.command.scaling.fleet.Fleet;
import dev.millrace.command.scaling.fleet.GeneratorFleet;
import dev.millrace.command.scaling.fleet.Sample;
import java.io.IOException;
import java.util.List;

/**
 * Pauses one instance under load for longer than the failure detection time, and resumes it: it must emit nothing
 * wrong, and rejoin automatically. Rows whose output was due while it had no lease are rejected and counted.
 */
final class PauseFault
{
    private static final double BEFORE_SECONDS = 3;
    private static final double AFTER_SECONDS = 3;
    private static final double BACK_SECONDS = 20;
    private static final double MOST_SECONDS = 60;
    private static final double GAP_SECONDS = 3;

    private PauseFault()
    {
    }

    static void run(final FaultTestbed bench) throws IOException, InterruptedException
    {
        final int victim = bench.fleet().instances().size() - 1;
        final int pauseSeconds = bench.settings().pauseSeconds();
        final GeneratorFleet generators = bench.feedAll(
            (int)(BEFORE_SECONDS + BACK_SECONDS + AFTER_SECONDS) + pauseSeconds +
            2 * bench.settings().instances());
        final List<Fleet.Instance> others = bench.others(victim);
        final OutputGapProbe silence = new OutputGapProbe(others, generators.others(victim));
        bench.watch("load before the pause", BEFORE_SECONDS, silence);
        bench.signal(victim, "STOP");
        try
        {
            bench.watch("paused", pauseSeconds, silence);
        }
        finally
        {
            bench.signal(victim, "CONT");
        }
        final int all = bench.fleet().instances().size();
        bench.check(Fault.PAUSE, "after the pause, it is a member again", bench.await("it rejoins", MOST_SECONDS,
            silence,
            () -> KillFault.areMembers(bench.fleet().instances(), all)), BACK_SECONDS, "s");
        bench.watch("load after it has rejoined", AFTER_SECONDS, silence);
        bench.check(Fault.PAUSE, "longest time without output at one of the others", silence.longestSeconds(),
            GAP_SECONDS, "s");
        for (int i = 0; i < all; i++)
        {
            bench.played(i, generators.of(i));
        }
        count(bench, victim);
    }

    private static void count(final FaultTestbed bench, final int victim) throws InterruptedException
    {
        final List<Sample> last = bench.settled();
        final Sample paused = last.get(victim);
        final long expected =
            bench.expected().counts(victim).signals() + bench.expected().counts(victim).trends();
        bench.check(Fault.PAUSE, "lost, rejected, missing or excess rows of the others",
            bench.wrongRows(last, i -> i != victim), 0, "rows");
        bench.check(Fault.PAUSE, "lost input events of the paused instance",
            Math.abs(paused.figures().accepted() - bench.expected().sent(victim)), 0, "rows");
        bench.check(Fault.PAUSE, "emitted plus rejected output of the paused one, against expected",
            Math.abs(paused.output() + paused.figures().rejected() - expected), 0, "rows");
    }
}
