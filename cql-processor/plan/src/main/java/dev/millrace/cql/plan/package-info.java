/**
 * The physical plan of continuous queries: immutable records, no Calcite types, nothing that runs.
 *
 * <pre>
 *   PipelinePlan: source channel ──► Operator ──► Operator ──► Output (query perc)
 *                                       │
 *                                       └───────► Operator ──► Output (query trend)
 * </pre>
 *
 * <p>A pipeline contains everything that one channel feeds and that runs under one partition expression: views and
 * queries fused into one tree, compiled to one class. Callers: the planner creates plans, the compiler reads them, the
 * processor displays them. Threads: all records are immutable.
 */
package dev.millrace.cql.plan;
