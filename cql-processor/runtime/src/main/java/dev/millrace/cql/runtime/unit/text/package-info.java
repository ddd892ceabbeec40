/**
 * Texts of generated units: columns that are read and written, and what is remembered of the codes of texts.
 *
 * <p>Who may call: generated units and {@code runtime.unit}. Threads: the engine's.
 */
package dev.millrace.cql.runtime.unit.text;
