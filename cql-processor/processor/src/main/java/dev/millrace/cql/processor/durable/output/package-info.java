/**
 * The outputs of durable units: they number the rows, so that a replay emits only those that the stages below have not
 * stored, and their numbers are part of snapshots and journals.
 *
 * <p>Callers: the units of a durable processor, and the processor, which opens and closes its outputs.
 */
package dev.millrace.cql.processor.durable.output;
