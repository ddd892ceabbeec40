/**
 * Writes DISTINCT, the set operations, and ORDER BY with and without ROWS.
 *
 * <p>Callers: {@code compiler.unit} and packages below it. Objects are not thread-safe; each is used for one class.
 */
package dev.millrace.cql.compiler.unit.set;
