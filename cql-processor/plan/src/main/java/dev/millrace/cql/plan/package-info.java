/**
 * The physical plan of continuous queries: immutable records, no Calcite types, nothing that runs.
 *
 * <pre>
 *   PipelinePlan: source channel ──► Operator ──► Operator ──► Output (query perc)
 *                                       │
 *                                       └───────► Operator ──► Output (query trend)
 * </pre>
 *
 * <p>A pipeline is everything that is fed by one channel and runs under one partition expression: views and queries
 * fused into one tree, compiled into one class. Who may call: the planner makes plans, the compiler reads them, the
 * processor shows them. Threads: all records are immutable.
 */
package dev.millrace.cql.plan;
