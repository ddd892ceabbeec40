/**
 * Writes the output: the netting of an instant, relation-to-stream operators, and the columns of the output.
 *
 * <p>Callers: {@code compiler.unit} and packages below it. Objects are not thread-safe; each is used for one class.
 */
package dev.millrace.cql.compiler.unit.output;
