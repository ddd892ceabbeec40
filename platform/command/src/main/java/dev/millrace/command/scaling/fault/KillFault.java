package dev.millrace.command.scaling.fault;

import dev.millrace.command.demo.GeneratorProcess;
import dev.millrace.command.scaling.fleet.Fleet;
import dev.millrace.command.scaling.fleet.GeneratorFleet;
import dev.millrace.command.scaling.fleet.Sample;
import java.io.IOException;
import java.util.List;

/**
 * Kills one instance under load: the others must not be affected, and the instance must rejoin automatically after its
 * restart.
 */
final class KillFault
{
    private static final int VICTIM = 1;
    private static final double AFTER_SECONDS = 3;
    /**
     * The others must have detected it by then. The failure detection time of 10 s applies only to unresponsive
     * instances, not to killed ones.
     */
    private static final double NOTICE_SECONDS = 5;
    private static final double BACK_SECONDS = 10;
    private static final double MOST_SECONDS = 60;
    private static final int NEW_FEED_SECONDS = 5;
    /** Maximum silence. */
    private static final double GAP_SECONDS = 3;

    private KillFault()
    {
    }

    static void run(final FaultTestbed bench) throws IOException, InterruptedException
    {
        final double beforeSeconds = bench.settings().secondsBeforeKill();
        final int feedSeconds = (int)(beforeSeconds + NOTICE_SECONDS + 2 * BACK_SECONDS + AFTER_SECONDS) +
            2 * bench.settings().instances();
        final GeneratorFleet generators = bench.feedAll(feedSeconds);
        final List<Fleet.Instance> others = bench.others(VICTIM);
        final OutputGapProbe silence = new OutputGapProbe(others, generators.others(VICTIM));
        bench.watch("load before the kill", beforeSeconds, silence);
        bench.kill(VICTIM);
        bench.check(Fault.KILL, "the others have detected the loss", bench.await("the others detect the loss",
            MOST_SECONDS,
            silence, () -> areMembers(others, others.size())), NOTICE_SECONDS, "s");
        bench.check(Fault.KILL, "after its restart, it is a member and runs the application",
            bench.restart(VICTIM, MOST_SECONDS, silence), BACK_SECONDS, "s");
        bench.watch("load after it has rejoined", AFTER_SECONDS, silence);
        bench.check(Fault.KILL, "longest time without output at one of the others", silence.longestSeconds(),
            GAP_SECONDS, "s");
        generators.of(VICTIM).close();
        for (int i = 0; i < bench.fleet().instances().size(); i++)
        {
            if (i != VICTIM)
            {
                bench.played(i, generators.of(i));
            }
        }
        final GeneratorProcess again = GeneratorFleet.startOne(bench.home(), bench.fleet(),
            bench.fleet().instances().get(VICTIM), bench.settings().feed(NEW_FEED_SECONDS), bench.cleanup());
        bench.played(VICTIM, again);
        final List<Sample> last = bench.settled();
        bench.check(Fault.KILL, "lost, rejected, missing or excess rows of the others",
            bench.wrongRows(last, i -> i != VICTIM), 0, "rows");
        bench.check(Fault.KILL, "the same of the restarted instance, since its restart",
            bench.wrongRows(last, i -> i == VICTIM), 0, "rows");
    }

    static boolean areMembers(final List<Fleet.Instance> instances, final int count) throws InterruptedException
    {
        for (final Fleet.Instance instance : instances)
        {
            if (Fleet.members(instance.client()) != count)
            {
                return false;
            }
        }
        return true;
    }
}
