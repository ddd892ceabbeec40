package dev.millrace.command.simulation;

import java.util.List;

/**
 * A simulation that was carried out. Immutable.
 *
 * @param settings what was simulated
 * @param rows     one for each number of members
 */
public record SimulationResult(SimulationSettings settings, List<SimulationRow> rows)
{
    /** Copies the list. */
    public SimulationResult
    {
        rows = List.copyOf(rows);
    }
}
