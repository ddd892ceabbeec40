package dev.millrace.command.simulation;

import java.util.List;

/**
 * Result of a simulation. Immutable.
 *
 * @param settings settings of the simulation
 * @param rows     one per number of members
 */
public record SimulationResult(SimulationSettings settings, List<SimulationRow> rows)
{
    public SimulationResult
    {
        rows = List.copyOf(rows);
    }
}
