/**
 * Writes sources, rows that wait for other streams, and windows.
 *
 * <p>Who may call: {@code compiler.unit} and packages below it. Threads: objects are used by one thread, for one class.
 */
package dev.millrace.cql.compiler.unit.window;
