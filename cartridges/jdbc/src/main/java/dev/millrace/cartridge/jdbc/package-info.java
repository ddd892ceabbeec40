/**
 * Functions of rules that are statements of a database: the cartridge {@code jdbc}.
 *
 * <pre>
 *   JdbcCartridge ──definition──► JdbcFunction: SqlText, ResultCache
 *                                      └─ row ──► RowType: a value, or a bean
 * </pre>
 *
 * <p>Callers: compiled rules, on the threads of the engine, which wait for the database. Every class is thread-safe.
 */
package dev.millrace.cartridge.jdbc;
