package dev.millrace.command.simulation;

/**
 * What so many members make of the load.
 *
 * @param placement who has what
 * @param batches   what was drawn
 * @param control   what being a cluster takes
 * @param loss      what a killed member did
 * @param meanCores processors that a member keeps busy on average
 * @param topCores  that the hottest one would keep busy
 */
record SimulationRow(Placement placement, BatchRun.Counts batches, ControlPlane control, LossRun.Figures loss,
    double meanCores, double topCores)
{
    int members()
    {
        return placement.members();
    }

    /** How much more the hottest member gets than the mean. */
    double imbalance()
    {
        return placement.topShare() * placement.members();
    }
}
