/**
 * The function catalog: names, types and implementations of functions.
 *
 * <p>Built-in functions are defined in two text files next to these classes, one overload per line, each with a
 * sentence and an example; the reference page is generated from them. The analysis of statements resolves calls here,
 * and the planner takes the implementation from the selected signature. Threads: a catalog is immutable.
 */
package dev.millrace.cql.language.functions;
