/**
 * Snapshots of a unit: their content, the newest valid one of the current rules, and the thread that writes them at an
 * interval.
 *
 * <p>Callers: the units of a durable processor, and the processor, which starts and stops the thread.
 */
package dev.millrace.cql.processor.durable.snapshot;
