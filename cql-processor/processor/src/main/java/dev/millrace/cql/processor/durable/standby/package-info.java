/**
 * The environment of a standby: a copy of a durable processor that reads the journals of the processor, writes nothing
 * to them and emits nothing.
 *
 * <p>Callers: the units of a durable processor, which create it, and the processor, which runs the copy.
 */
package dev.millrace.cql.processor.durable.standby;
