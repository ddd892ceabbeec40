/**
 * Runtime of generated units: the base of every unit, tables of keys with records, rings, rows. Strings and aggregates
 * have separate packages.
 *
 * <p>Callers: generated code, created by {@code compiler.unit}. Threads: a unit and all its parts are confined to the
 * thread of its engine.
 */
package dev.millrace.cql.runtime.unit;
