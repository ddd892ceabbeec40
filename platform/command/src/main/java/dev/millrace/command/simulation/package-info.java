/**
 * Simulation of a cluster larger than this machine: the cost of partitioned routing as the number of members grows.
 *
 * <pre>
 *   ZipfShares (keys ─► partitions) ───┐
 *   Rendezvous (partitions ─► members) ┼─► Placement ─┬─► BatchingSimulation (counts batches) ─────┐
 *                                      │              ├─► MemberLossSimulation (steps of 10 ms) ───┼─► SimulationRow
 *   Constant (measured or inferred) ───┘              └─► ControlPlane (formulas) ─► Limit ────────┘
 * </pre>
 *
 * <p>Callers: the command line, on its main thread. The same seed gives the same figures.
 */
package dev.millrace.command.simulation;
