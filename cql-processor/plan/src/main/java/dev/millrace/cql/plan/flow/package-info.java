/**
 * The physical plan of statements that are processed instant by instant: several sources, windows, relations, patterns
 * of any shape.
 *
 * <pre>
 *   Source S ──► Window ──► Calc ──┐
 *                                  ├─► Join ──► Group ──► ToStream ──► FlowPlan.Output (query q)
 *   Source R ──────────────────────┘
 * </pre>
 *
 * <p>Unlike the operators of {@link dev.millrace.cql.plan}, which process each row immediately, these exchange the
 * changes of one instant: inserted and deleted rows. A node names its inputs, so that a plan is a directed acyclic
 * graph; a node with two consumers is the same object for both. Callers: the planner creates plans, the compiler and
 * the runtime read them. Threads: all records are immutable.
 */
package dev.millrace.cql.plan.flow;
