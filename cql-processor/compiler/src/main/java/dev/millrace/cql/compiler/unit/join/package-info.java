/**
 * Writes joins: the table of keys that both sides share, and the rows of a key on each side.
 *
 * <p>Who may call: {@code compiler.unit}. Threads: objects are used by one thread, for one class.
 */
package dev.millrace.cql.compiler.unit.join;
