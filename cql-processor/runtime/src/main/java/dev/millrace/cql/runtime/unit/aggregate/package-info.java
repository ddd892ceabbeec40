/**
 * Aggregates of generated units that take more than a word or two in the record of a group: exact sums, extremes,
 * distinct values, and functions of users.
 *
 * <p>Callers: generated units. Confined to the engine thread.
 */
package dev.millrace.cql.runtime.unit.aggregate;
