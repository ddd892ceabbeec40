/**
 * Analysis of a statement: names, types, the rules of CQL, and the logical plan.
 *
 * <pre>
 *   Statement ──► SelectResolver, MatchResolver (names) ──► CqlValidator (Calcite: types, grouping) ──► SqlToRel
 *      ├──► StatementAnalyzer ──► LogicalStatement: one select over one stream, for pipelines
 *      └──► BlockAnalyzer, MatchAnalyzer ──► LogicalBlock, LogicalMatch: the parts of a statement, for flows
 * </pre>
 *
 * <p>Calcite knows the sources of a statement only by number, so no Calcite message contains their names. Callers: the
 * planner. Threads: each statement is analyzed by one thread; results are immutable.
 */
package dev.millrace.cql.language.semantic;
