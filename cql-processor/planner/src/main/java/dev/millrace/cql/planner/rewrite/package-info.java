/**
 * Rewrites flows to equivalent ones that cost less.
 */
package dev.millrace.cql.planner.rewrite;
