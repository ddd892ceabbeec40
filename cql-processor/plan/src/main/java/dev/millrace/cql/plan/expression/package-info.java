/**
 * Expressions and conditions of plans.
 */
package dev.millrace.cql.plan.expression;
