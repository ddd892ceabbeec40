/**
 * What generated units run on: tables of keys with records, rings, codes of texts, sums.
 *
 * <p>Who may call: generated code, made by {@code compiler.unit}. Threads: a unit and all it has belong to the thread
 * of its engine.
 */
package dev.millrace.cql.runtime.unit;
