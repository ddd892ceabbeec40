/**
 * Error codes of the processor.
 */
package dev.millrace.cql.processor.problem;
