/**
 * The white paper's study: many instances of one domain with one load generator each, and an increasing number of
 * connections.
 *
 * <pre>
 *   Fleet (domains, instances, application) ───┐
 *   GeneratorFleet (one process per instance) ─┼─► ScalingRun ─► ScalingRow ─► ScalingTable, ScalingJson, ScalingReport
 *   HiccupProbe (a process), CpuUsage ───────────┘        ▲
 *                                                 ExpectedOutput (independent)
 * </pre>
 *
 * <p>The fault benchmark uses the same instances and generators:
 *
 * <pre>
 *   Fleet, GeneratorFleet, ExpectedOutput ─► FaultTestbed ─► KillFault, PauseFault, CoordinatorFault, PortFault
 *                                            Silence           └─► FaultCheck ─► FaultResult
 * </pre>
 *
 * <p>Callers: the command line, on its main thread; the probe is a separate process.
 */
package dev.millrace.command.scaling;
