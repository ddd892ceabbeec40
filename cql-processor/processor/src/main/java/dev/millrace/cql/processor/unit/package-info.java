/**
 * Execution units: the parts of a processor that start and stop as one.
 */
package dev.millrace.cql.processor.unit;
