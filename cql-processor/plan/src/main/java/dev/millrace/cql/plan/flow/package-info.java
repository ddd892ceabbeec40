/**
 * The physical plan of statements that need instants: several sources, windows, relations, patterns of any shape.
 *
 * <pre>
 *   Source S ──► Window ──► Calc ──┐
 *                                  ├─► Join ──► Group ──► ToStream ──► FlowPlan.Output (query q)
 *   Source R ──────────────────────┘
 * </pre>
 *
 * <p>Unlike the operators of {@link dev.millrace.cql.plan}, which a row passes at once, these exchange the changes of
 * one instant: rows that enter and rows that leave. A node names its inputs, so that a plan is a directed graph without
 * cycles; a node that two consumers share is the same object. Who may call: the planner makes plans, the compiler and
 * the runtime read them. Threads: all records are immutable.
 */
package dev.millrace.cql.plan.flow;
