/**
 * Row patterns compiled to programs, and aggregates over the rows of their matches. The matcher is in
 * {@link dev.millrace.cql.runtime.pattern.attempt}.
 *
 * <p>Callers: the compiler of flows. Threads: programs are immutable; aggregates are confined to the engine that
 * created them.
 */
package dev.millrace.cql.runtime.pattern;
