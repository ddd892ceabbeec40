package dev.millrace.command.simulation;

/**
 * Result for one number of members.
 *
 * @param placement owners of partitions
 * @param batches   counts of the drawn events
 * @param control   cost of the cluster itself
 * @param loss      effects of a killed member
 * @param meanCores average processors used per member
 * @param topCores  processors needed by the hottest member
 */
record SimulationRow(Placement placement, BatchingSimulation.Counts batches, ControlPlane control,
    MemberLossSimulation.Figures loss,
    double meanCores, double topCores)
{
    int members()
    {
        return placement.members();
    }

    /** Returns the ratio of the hottest member's load to the mean. */
    double imbalance()
    {
        return placement.topShare() * placement.members();
    }
}
