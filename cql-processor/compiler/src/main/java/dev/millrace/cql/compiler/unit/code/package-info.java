/**
 * What writers of operators share: the text of a unit, rows and columns in it, and what an operator is to the one above
 * ({@code OperatorCode}) and to the one below ({@code ConsumerCode}).
 *
 * <p>Who may call: packages below {@code compiler.unit}. Threads: objects are used by one thread, for one class.
 */
package dev.millrace.cql.compiler.unit.code;
