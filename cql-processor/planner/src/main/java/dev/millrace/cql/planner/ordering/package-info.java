/**
 * Parallelism: partition keys, distribution of rows across workers, aggregation in two phases, and reasons to refuse
 * it.
 */
package dev.millrace.cql.planner.ordering;
