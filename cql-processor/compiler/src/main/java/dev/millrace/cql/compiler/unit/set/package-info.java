/**
 * Writes DISTINCT, the set operations, and ORDER BY with and without ROWS.
 *
 * <p>Who may call: {@code compiler.unit} and packages below it. Threads: objects are used by one thread, for one class.
 */
package dev.millrace.cql.compiler.unit.set;
