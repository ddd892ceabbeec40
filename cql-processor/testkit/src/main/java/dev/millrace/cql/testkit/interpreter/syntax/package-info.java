/**
 * Lexer, reader and syntax tree of the reference interpreter, and its types, values and aggregates.
 */
package dev.millrace.cql.testkit.interpreter.syntax;
