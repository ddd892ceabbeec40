/**
 * A cluster that is larger than this machine, on paper: what routing by partitions costs when members grow.
 *
 * <pre>
 *   ZipfShares (keys ─► partitions) ──┐
 *   Rendezvous (partitions ─► members) ┼─► Placement ─┬─► BatchRun (draws events, counts batches) ──┐
 *                                      │              ├─► LossRun (steps of 10 ms, queues, a loss) ─┼─► SimulationRow
 *   Constant (measured or inferred) ───┘              └─► ControlPlane (formulas: ring, links)  ────┘   ─► Limit
 * </pre>
 *
 * <p>Called by the command line, on its main thread. The same seed gives the same figures.
 */
package dev.millrace.command.simulation;
