/**
 * Translates statements to flows.
 */
package dev.millrace.cql.planner.flow;
