/**
 * Writes joins: the table of keys that both sides share, and the rows of a key on each side.
 *
 * <p>Callers: {@code compiler.unit}. Objects are not thread-safe; each is used for one class.
 */
package dev.millrace.cql.compiler.unit.join;
