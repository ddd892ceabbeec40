/**
 * Strings of generated units: input and output columns, and results cached by the codes of strings.
 *
 * <p>Callers: generated units and {@code runtime.unit}. Confined to the engine thread.
 */
package dev.millrace.cql.runtime.unit.string;
