/**
 * Simulation of a cluster larger than this machine: the cost of partitioned routing as the number of members grows.
 *
 * <pre>
 *   ZipfShares (keys ─► partitions) ──┐
 *   Rendezvous (partitions ─► members) ┼─► Placement ─┬─► BatchRun (draws events, counts batches) ──┐
 *                                      │              ├─► LossRun (steps of 10 ms, queues, a loss) ─┼─► SimulationRow
 *   Constant (measured or inferred) ───┘              └─► ControlPlane (formulas: ring, links)  ────┘   ─► Limit
 * </pre>
 *
 * <p>Callers: the command line, on its main thread. The same seed gives the same figures.
 */
package dev.millrace.command.simulation;
