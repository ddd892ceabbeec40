/**
 * CQL's types, literals, operators and aggregates for Calcite's validator.
 *
 * <p>All operators are defined here instead of in Calcite, so that no Calcite rewrite changes an expression: the
 * planner receives the expression as written. Callers: the parser creates calls of these operators, the validator
 * determines their types, the planner reads them. Threads: all types are immutable.
 */
package dev.millrace.cql.language.types;
