package dev.millrace.cql.processor;

import dev.millrace.cql.processor.durable.DurableUnits;
import dev.millrace.cql.processor.durable.output.OutputGate;
import dev.millrace.network.definition.ProcessorStage;

/**
 * What a durable processor has in addition to others.
 *
 * @param units   its journals and snapshots
 * @param outputs its outputs
 * @param standby creates a second copy of it
 * @param next    the processor with the rules that replace those of the stored state at the start; {@code null} if they
 *                are the same
 */
record Durability(DurableUnits units, OutputGate outputs, Standby.Opener standby, ProcessorStage next)
{
}
