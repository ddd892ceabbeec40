/**
 * CQL's types, literals, operators and aggregates as Calcite's validator sees them.
 *
 * <p>All operators are our own, so that no rewrite of Calcite ever touches an expression: what the planner gets is what
 * was written. Who may call: the parser makes calls of these operators, the validator asks for their types, the planner
 * reads them. Threads: everything is immutable.
 */
package dev.millrace.cql.language.types;
