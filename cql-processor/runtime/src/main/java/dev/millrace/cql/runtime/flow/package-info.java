/**
 * Runs flows: statements over several sources, windows, relations and patterns, instant by instant.
 *
 * <pre>
 *   EventBatch ──► FlowEngine: times ──► UnitRunner: a unit, which processes whole batches ──► QueryOutput ──► sink
 *                                          │        ▲
 *                                          └────────┴── InternalChannel: rows for a pattern, matches of one
 * </pre>
 *
 * <p>Contents: the engine and its units ({@code UnitRunner}), each with its own clock; the environment of an engine
 * ({@code FlowBindings}); and functions on values for generated code. Units are in {@code runtime.unit}, patterns in
 * {@code runtime.pattern}. Callers: compiled flows create engines, the processor feeds them. Threads: an engine and all
 * its parts are used by one thread at a time; statistics may be read by any thread.
 */
package dev.millrace.cql.runtime.flow;
