/**
 * What the names of built-in functions stand for: public static methods, and factories of aggregates.
 *
 * <p>The catalogue of the language module names class and method of each; compiled flows call them. No argument is
 * null unless the catalogue says so; a method of boxes gives null for null. A text of length 0 is null, so that none is
 * ever given back. Failure: {@link dev.millrace.cql.runtime.flow.RowRejectedException}, which rejects the row.
 * Threads: methods and factories are safe for all threads, an aggregate belongs to one.
 */
package dev.millrace.cql.functions;
