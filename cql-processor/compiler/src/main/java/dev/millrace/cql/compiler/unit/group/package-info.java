/**
 * Writes groups: their records, their aggregates, and the change of a group at the end of an instant.
 *
 * <p>Who may call: {@code compiler.unit} and packages below it. Threads: objects are used by one thread, for one class.
 */
package dev.millrace.cql.compiler.unit.group;
