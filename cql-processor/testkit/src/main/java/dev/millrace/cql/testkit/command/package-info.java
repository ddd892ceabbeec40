/**
 * The tools for rules: {@code millrace cql test | run | explain}.
 *
 * <pre>
 *   FILE.cql ──► RuleFile ──► QuerySession: planner, compiler, FlowEngine ──► RowPrinter ──► lines
 *   CSV files ──► CsvInput, merged by time in FileRun ──▲
 *   case files ──► TestCommand ──► ConformanceRunner
 * </pre>
 *
 * <p>Who may call: the command line, through {@code CqlTool}. Threads: the one that runs the command. Failure: what the
 * user can put right is a {@code ToolException}, shown without stack trace.
 */
package dev.millrace.cql.testkit.command;
