/**
 * Lexer, reader and syntax tree of the reference interpreter.
 */
package dev.millrace.cql.testkit.interpreter.syntax;
