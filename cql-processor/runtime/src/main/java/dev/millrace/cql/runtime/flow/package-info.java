/**
 * Runs flows: statements over several sources, windows, relations and patterns, instant by instant.
 *
 * <pre>
 *   EventBatch ──► FlowEngine: times ──► UnitSlot: a unit, which takes whole batches ──► QueryOutput ──► sink
 *                                          │        ▲
 *                                          └────────┴── InnerChannel: rows for a pattern, matches of one
 * </pre>
 *
 * <p>Who lives here: the engine and its units ({@code UnitSlot}), which have clocks of their own; what an engine is
 * tied to ({@code FlowBindings}); and what generated code needs of values. Units are in {@code runtime.unit}, patterns
 * in {@code runtime.pattern}. Who may call: compiled flows make engines, the processor feeds them. Threads: an engine
 * with all it holds belongs to one thread at a time; figures may be read by any.
 */
package dev.millrace.cql.runtime.flow;
