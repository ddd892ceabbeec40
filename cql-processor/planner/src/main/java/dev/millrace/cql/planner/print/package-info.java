/**
 * Prints plans as text.
 */
package dev.millrace.cql.planner.print;
