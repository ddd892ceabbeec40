/**
 * The test kit of the language: case files, their comparison, the engine run over them, random cases.
 *
 * <p>Lives beside the engine, above planner, compiler and runtime; called by tests and by the command line tool.
 * Nothing of it is loaded by a running server. Each object is used by one thread.
 *
 * <pre>
 *   case file -> CaseFile -+-> interpreter --+-> Comparison -> report
 *                          +-> EngineRunner -+
 *   seed -> CaseGenerator -> Differential -> Shrinker -> case file
 * </pre>
 */
package dev.millrace.cql.testkit;
