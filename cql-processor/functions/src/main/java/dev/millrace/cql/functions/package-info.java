/**
 * Implementations of built-in functions: public static methods, and factories of aggregates.
 *
 * <p>The catalog of the language module contains class and method of each function; compiled flows call them. No
 * argument is null unless the catalog allows it; a method with boxed parameters returns null for null. An empty string
 * is null, so that no function returns an empty string. Failure:
 * {@link dev.millrace.cql.runtime.row.RowRejectedException}, which rejects the row. Threads: methods and factories are
 * thread-safe, an aggregate is not.
 */
package dev.millrace.cql.functions;
