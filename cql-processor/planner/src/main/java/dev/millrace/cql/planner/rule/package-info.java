/**
 * Properties of planned rules: columns, origin and ordering.
 */
package dev.millrace.cql.planner.rule;
