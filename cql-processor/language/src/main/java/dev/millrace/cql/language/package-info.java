/**
 * The front of the CQL compiler as its callers see it: rule text and catalog in, problems out.
 *
 * <pre>
 *   RuleText ──► syntax (lexer, parser) ──► semantic (names, types, validator) ──► logical plan ──► planner
 *   Catalog  ─────────────────────────────────────┘                 └──► CqlException with CqlProblems
 * </pre>
 *
 * <p>Who may call: the planner; makers of tools read problems. Threads: everything here is immutable or used by the one
 * thread that plans. Calcite types stay inside the sub-packages and the planner.
 */
package dev.millrace.cql.language;
