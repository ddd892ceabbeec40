/**
 * Aggregates of generated units that are more than a word or two in the record of a group: exact sums, least and
 * greatest values, different values, and functions of users.
 *
 * <p>Who may call: generated units. Threads: the engine's.
 */
package dev.millrace.cql.runtime.unit.aggregate;
