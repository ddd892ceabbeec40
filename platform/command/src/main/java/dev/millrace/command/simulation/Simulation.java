package dev.millrace.command.simulation;

import java.util.ArrayList;
import java.util.List;

/** Runs a simulation with one row per number of members. */
public final class Simulation
{
    private Simulation()
    {
    }

    /** @param members numbers of members, one row each */
    public static SimulationResult run(final SimulationSettings settings, final List<Integer> members)
    {
        final double[] shares =
            ZipfShares.ofPartitions(settings.keys(), settings.skew(), settings.partitions(), settings.seed());
        final List<SimulationRow> rows = new ArrayList<>();
        for (final int count : members)
        {
            rows.add(row(settings, shares, count));
        }
        return new SimulationResult(settings, rows);
    }

    private static SimulationRow row(final SimulationSettings settings, final double[] shares, final int members)
    {
        final Placement placement = Placement.of(
            shares, Rendezvous.owners(settings.partitions(), members, settings.groupSize()), members);
        final BatchingSimulation.Counts batches = settings.isPartitionedInFront() ? BatchingSimulation.Counts.NONE :
            BatchingSimulation.run(settings, placement);
        final Costs costs = new Costs(settings, members);
        final ControlPlane control = ControlPlane.of(settings, members);
        double sum = 0;
        double top = 0;
        for (final double share : placement.memberShares())
        {
            final double cores = costs.sourceCores(share, batches.batchesPerSourceSec()) + costs.ownerCores(share);
            sum += cores;
            top = Math.max(top, cores);
        }
        return new SimulationRow(placement, batches, control,
            MemberLossSimulation.run(settings, costs, placement, batches.batchesPerSourceSec(), control.gapMs()),
            sum / members, top);
    }
}
