/**
 * Writes expressions as Java source text: one variable per step and one for null, three-valued logic, short-circuit
 * evaluation. The generator of the class determines how a leaf is read and how a constant is named.
 *
 * <p>Callers: generators of classes. A writer is not thread-safe; it is used for one method.
 */
package dev.millrace.cql.compiler.expression;
