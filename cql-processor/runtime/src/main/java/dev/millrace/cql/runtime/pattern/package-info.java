/**
 * Row patterns made ready to run, and aggregates over the rows of their matches. What looks for matches is in
 * {@link dev.millrace.cql.runtime.pattern.attempt}.
 *
 * <p>Who may call: the compiler of flows. Threads: all; aggregates belong to the engine that made them.
 */
package dev.millrace.cql.runtime.pattern;
