/**
 * Exact sums and sorted values on which statistical aggregates are built.
 */
package dev.millrace.cql.functions.statistics;
