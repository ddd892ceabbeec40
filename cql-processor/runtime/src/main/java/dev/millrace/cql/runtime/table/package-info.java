/**
 * Slot arrays, hash tables and row queues of pipelines.
 */
package dev.millrace.cql.runtime.table;
