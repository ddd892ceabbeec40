/**
 * Templates of the methods of a pattern whose attempts are records: {@code Template} completes them.
 *
 * <p>Who may call: {@code compiler.pattern.attempt}. Threads: any.
 */
package dev.millrace.cql.compiler.pattern.attempt.text;
