/**
 * Writes what follows the operators: the netting of an instant, relation to stream, and the columns of the output.
 *
 * <p>Who may call: {@code compiler.unit} and packages below it. Threads: objects are used by one thread, for one class.
 */
package dev.millrace.cql.compiler.unit.output;
