/**
 * Runs flows: statements over several sources, windows and relations, instant by instant.
 *
 * <pre>
 *   EventBatch ──► SourceOperator ─┐   Delta of the instant: rows that enter and leave
 *                                  ├──► window ──► calc ──► join ──► group ──► to-stream ──► OutputOperator ──► sink
 *   EventBatch ──► SourceOperator ─┘
 *
 *   FlowEngine: which instants are complete (all sources have passed them) ──► one pass over the operators each
 * </pre>
 *
 * <p>Who lives here: the engine, its operators, the store of rows and what generated code needs of them. Who may call:
 * compiled flows make operators, the processor feeds the engine. Threads: an engine with all it holds belongs to one
 * thread at a time; figures may be read by any.
 */
package dev.millrace.cql.runtime.flow;
