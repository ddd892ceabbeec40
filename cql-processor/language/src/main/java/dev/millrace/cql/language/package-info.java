/**
 * The front end of the CQL compiler: rule text and catalog in, problems out.
 *
 * <pre>
 *   RuleText ──► syntax (lexer, parser) ──► semantic (names, types, validator) ──► logical plan ──► planner
 *   Catalog  ──────────────────────────────┘                                 └──► CqlException with CqlProblems
 * </pre>
 *
 * <p>Callers: the planner; tools read problems. Threads: all types are immutable or confined to the planning thread.
 * Calcite types are used only in the sub-packages and the planner.
 */
package dev.millrace.cql.language;
