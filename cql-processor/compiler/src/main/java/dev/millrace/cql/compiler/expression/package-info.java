/**
 * Writes expressions as Java text: one variable a step and one for null, three-valued logic, short cuts. How a leaf is
 * read and how a constant is named is up to whoever generates the class.
 *
 * <p>Who may call: generators of classes. Threads: a writer is used by one thread, for one method.
 */
package dev.millrace.cql.compiler.expression;
