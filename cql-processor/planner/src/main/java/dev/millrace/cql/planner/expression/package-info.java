/**
 * Translates Calcite expressions to plan expressions.
 */
package dev.millrace.cql.planner.expression;
