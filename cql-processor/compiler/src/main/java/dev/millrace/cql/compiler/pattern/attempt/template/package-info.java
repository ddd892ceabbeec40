/**
 * Templates of the methods of a pattern whose attempts are records: {@code Template} completes them.
 *
 * <p>Callers: {@code compiler.pattern.attempt}. Thread-safe.
 */
package dev.millrace.cql.compiler.pattern.attempt.template;
