/**
 * Meaning of a statement: names, types, the rules of CQL, and the logical plan.
 *
 * <pre>
 *   Statement ──► SelectResolver, MatchResolver (names) ──► CqlValidator (Calcite: types, grouping) ──► SqlToRel
 *      ├──► StatementAnalyzer ──► LogicalStatement: one select over one stream, for pipelines
 *      └──► BlockAnalyzer, MatchAnalyzer ──► LogicalBlock, LogicalMatch: the parts of a statement, for flows
 * </pre>
 *
 * <p>Sources of a statement are known to Calcite only by number, so no message of Calcite ever speaks of them. Who may
 * call: the planner. Threads: one statement is analysed by one thread; results are not changed.
 */
package dev.millrace.cql.language.semantic;
