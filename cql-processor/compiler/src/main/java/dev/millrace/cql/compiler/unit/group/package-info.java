/**
 * Writes groups: their records, their aggregates, and the change of a group at the end of an instant. Aggregates over
 * longs are words of a group's record ({@code AggregateArgumentGenerator}, {@code DistinctGenerator} for counts of
 * distinct values); others are objects whose value is computed at the end of the instant ({@code FunctionCode}). For a
 * sliding window, the partial result of each group per pane is stored instead of rows, when results can be added
 * ({@code PaneGenerator}).
 *
 * <p>Callers: {@code compiler.unit} and packages below it. Objects are not thread-safe; each is used for one class.
 */
package dev.millrace.cql.compiler.unit.group;
