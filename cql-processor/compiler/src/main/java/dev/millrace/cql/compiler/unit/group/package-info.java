/**
 * Writes groups: their records, their aggregates, and the change of a group at the end of an instant. Aggregates over
 * longs are words of a group's record ({@code ArgumentCode}, {@code DistinctCode} for counts of different values);
 * others are objects that are asked for their value at the end of the instant ({@code FunctionCode}). Rows of a window
 * that slides are kept as what each group has in a pane, where that can be added up ({@code PanesCode}).
 *
 * <p>Who may call: {@code compiler.unit} and packages below it. Threads: objects are used by one thread, for one class.
 */
package dev.millrace.cql.compiler.unit.group;
