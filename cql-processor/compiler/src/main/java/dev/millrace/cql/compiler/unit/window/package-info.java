/**
 * Writes sources, rows that wait for other streams, and windows.
 *
 * <p>Callers: {@code compiler.unit} and packages below it. Objects are not thread-safe; each is used for one class.
 */
package dev.millrace.cql.compiler.unit.window;
