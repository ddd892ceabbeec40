/**
 * The tools for rules: {@code millrace cql test | run | explain}.
 *
 * <pre>
 *   FILE.cql ──► RuleFile ──► planner ──► compiler ──► FlowEngine ──► rows as text
 *   CSV files ──► CsvInput (merged by time) ─────────────▲
 * </pre>
 *
 * <p>Who may call: the command line, through {@code CqlTool}. Threads: the one that runs the command.
 */
package dev.millrace.cql.testkit.command;
