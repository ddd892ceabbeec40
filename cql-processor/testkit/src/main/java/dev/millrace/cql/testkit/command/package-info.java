/**
 * The tools for rules: {@code millrace cql test | run | explain}.
 *
 * <pre>
 *   FILE.cql ──► RuleFile ──► QuerySession: planner, compiler, FlowEngine ──► RowPrinter ──► lines
 *   CSV files ──► CsvInput, merged by time in FileRun ──▲
 *   case files ──► TestCommand ──► ConformanceRunner
 * </pre>
 *
 * <p>Callers: the command line, through {@code CqlTool}. Confined to the thread that runs the command. Failure: an
 * error that the user can correct is a {@code ToolException}, shown without stack trace.
 */
package dev.millrace.cql.testkit.command;
