/**
 * The white paper's study: many instances of one domain, a load generator each, connections added row by row.
 *
 * <pre>
 *   Fleet (domains, instances, application) ─┐
 *   GeneratorFleet (a process an instance) ──┼─► ScalingRun ─► ScalingRow ─► ScalingTable, ScalingJson, ScalingReport
 *   HiccupProbe (a process), CpuUse ─────────┘        ▲
 *                                               ExpectedOutput (independent)
 * </pre>
 *
 * <p>The same instances and generators are what faults are done to:
 *
 * <pre>
 *   Fleet, GeneratorFleet, ExpectedOutput ─► FaultBench ─► KillFault, PauseFault, CoordinatorFault, PortFault
 *                                            Silence           └─► FaultCheck ─► FaultResult
 * </pre>
 *
 * <p>Called by the command line, on its main thread; the probe is a process of its own.
 */
package dev.millrace.command.scaling;
