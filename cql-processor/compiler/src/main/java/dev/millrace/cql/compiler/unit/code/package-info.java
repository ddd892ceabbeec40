/**
 * Shared by the writers of operators: the source text of a unit, rows and columns in it, and an operator as seen by the
 * operator above ({@code UnitOperatorGenerator}) and by the one below ({@code RowConsumer}).
 *
 * <p>Callers: packages below {@code compiler.unit}. Objects are not thread-safe; each is used for one class.
 */
package dev.millrace.cql.compiler.unit.code;
