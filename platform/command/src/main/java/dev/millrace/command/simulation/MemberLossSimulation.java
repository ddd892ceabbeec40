package dev.millrace.command.simulation;

import java.util.SplittableRandom;

/**
 * Simulates arrivals at all members in steps of ten milliseconds with limited processing capacity, kills one member,
 * and observes the members that take over its partitions. Events for the lost member wait at their sources until the
 * new owners are known.
 */
final class MemberLossSimulation
{
    private static final double STEP_SEC = 0.01;
    private static final double NS = 1e9;
    private static final double FEW = 30;

    private final SimulationSettings settings;
    private final Costs costs;
    private final Placement before;
    private final SplittableRandom random;
    private final double[] backlogNs;
    private final double[] sourceNs;

    private MemberLossSimulation(final SimulationSettings settings, final Costs costs, final Placement before,
        final double batchesPerSourceSec)
    {
        this.settings = settings;
        this.costs = costs;
        this.before = before;
        this.random = new SplittableRandom(settings.seed() + 1);
        this.backlogNs = new double[before.members()];
        this.sourceNs = new double[before.members()];
        for (int member = 0; member < before.members(); member++)
        {
            sourceNs[member] =
                costs.sourceCores(before.memberShares()[member], batchesPerSourceSec) * STEP_SEC * NS;
        }
    }

    /**
     * Effects of the loss.
     *
     * @param lost            number of the member
     * @param movedPartitions partitions with a new owner
     * @param otherMoves      those that the lost member did not own; none by construction
     * @param reroutedShare   share of all events
     * @param heldEvents      events that waited at their sources
     * @param gapMs           from the loss until the new owners accept events
     * @param caughtUpMs      from the loss until the new owners have processed the waiting events; NaN: not before the
     *                        end
     * @param overloaded      members that fell behind at the end, regardless of the loss
     */
    record Figures(int lost, int movedPartitions, int otherMoves, double reroutedShare, double heldEvents,
        double gapMs, double caughtUpMs, int overloaded)
    {
    }

    static Figures run(final SimulationSettings settings, final Costs costs, final Placement before,
        final double batchesPerSourceSec, final double gapMs)
    {
        return new MemberLossSimulation(settings, costs, before, batchesPerSourceSec).run(gapMs);
    }

    private Figures run(final double gapMs)
    {
        final int lost = chooseLost();
        final Placement after = before.without(lost, settings.groupSize());
        final boolean[] heirs = heirs(lost, after);
        final int lossStep = (int)Math.round(settings.lossAtSec() / STEP_SEC);
        final int backStep = lossStep + (int)Math.ceil(gapMs / 1e3 / STEP_SEC);
        final int steps = (int)Math.round(settings.seconds() / STEP_SEC);
        double caughtUpMs = Double.NaN;
        for (int step = 0; step < steps; step++)
        {
            final boolean isBack = step >= backStep;
            if (step == backStep)
            {
                giveHeld(after, gapMs);
            }
            step(isBack ? after : before, step >= lossStep ? lost : -1);
            if (isBack && Double.isNaN(caughtUpMs) && isThrough(heirs, after))
            {
                caughtUpMs = (step + 1 - lossStep) * STEP_SEC * 1e3;
            }
        }
        return figures(lost, after, gapMs, caughtUpMs, lossStep < steps);
    }

    private Figures figures(final int lost, final Placement after, final double gapMs, final double caughtUpMs,
        final boolean isLost)
    {
        int overloaded = 0;
        for (int member = 0; member < backlogNs.length; member++)
        {
            overloaded += (!isLost || member != lost) && isBehind(member) ? 1 : 0;
        }
        final int moved = after.moved(before);
        return new Figures(lost, moved, moved - before.partitionsOf(lost), before.memberShares()[lost],
            held(gapMs, before.memberShares()[lost]), gapMs, caughtUpMs, overloaded);
    }

    /** Chooses, by the seed, a member with events to lose. */
    private int chooseLost()
    {
        int lost = random.nextInt(before.members());
        while (before.memberShares()[lost] == 0)
        {
            lost = random.nextInt(before.members());
        }
        return lost;
    }

    private boolean[] heirs(final int lost, final Placement after)
    {
        final boolean[] heirs = new boolean[before.members()];
        for (int partition = 0; partition < after.owners().length; partition++)
        {
            if (before.owners()[partition] == lost)
            {
                heirs[after.owners()[partition]] = true;
            }
        }
        return heirs;
    }

    private double held(final double gapMs, final double share)
    {
        return (costs.totalPerSec() - settings.rate()) * share * gapMs / 1e3;
    }

    private void giveHeld(final Placement after, final double gapMs)
    {
        for (int member = 0; member < backlogNs.length; member++)
        {
            final double more = after.memberShares()[member] - before.memberShares()[member];
            if (more > 0)
            {
                backlogNs[member] += held(gapMs, more) * costs.nsPerArrival(after.memberShares()[member]);
            }
        }
    }

    private void step(final Placement placement, final int lost)
    {
        final double sources = lost < 0 ? before.members() : before.members() - 1.0;
        final double capacityNs = settings.cores() * STEP_SEC * NS;
        for (int member = 0; member < backlogNs.length; member++)
        {
            final double share = placement.memberShares()[member];
            if (member != lost)
            {
                final double arrivals = poisson(sources * settings.rate() * STEP_SEC * share);
                backlogNs[member] = Math.max(0, backlogNs[member] + sourceNs[member] +
                    arrivals * costs.nsPerArrival(share) - capacityNs);
            }
        }
    }

    private boolean isThrough(final boolean[] heirs, final Placement after)
    {
        for (int member = 0; member < heirs.length; member++)
        {
            if (heirs[member] && after.memberShares()[member] > 0 && isBehind(member))
            {
                return false;
            }
        }
        return true;
    }

    /** Whether the backlog exceeds the work of one step. */
    private boolean isBehind(final int member)
    {
        return backlogNs[member] > settings.cores() * STEP_SEC * NS;
    }

    private double poisson(final double mean)
    {
        if (mean > FEW)
        {
            return Math.max(0, Math.rint(mean + Math.sqrt(mean) * random.nextGaussian()));
        }
        final double end = Math.exp(-mean);
        int count = 0;
        for (double product = random.nextDouble(); product > end; product *= random.nextDouble())
        {
            count++;
        }
        return count;
    }
}
