/**
 * What generated units run on: the base of every unit, tables of keys with records, rings,
 * rows. Texts and aggregates have packages of their own.
 *
 * <p>Who may call: generated code, made by {@code compiler.unit}. Threads: a unit and all it has belong to the thread
 * of its engine.
 */
package dev.millrace.cql.runtime.unit;
