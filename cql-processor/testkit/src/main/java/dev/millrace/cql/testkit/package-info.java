/**
 * The test kit of the language: case files, their comparison, the engine run over them, random cases.
 *
 * <p>Depends on planner, compiler and runtime; called by tests and by the command line tool. A running server loads no
 * class of it. Objects are not thread-safe.
 *
 * <pre>
 *   case file -> CaseFile -+-> interpreter --+-> Comparison -> report
 *                          +-> EngineRunner -+
 *   seed -> CaseGenerator -> Differential -> Shrinker -> case file
 * </pre>
 */
package dev.millrace.cql.testkit;
