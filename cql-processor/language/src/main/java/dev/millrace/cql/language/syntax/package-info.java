/**
 * Lexer and recursive-descent parser.
 *
 * <pre>
 *   text ──► Lexer ──► tokens with spans ──► Parser ──► Statement (expressions are Calcite SqlNodes with spans)
 * </pre>
 *
 * <p>Few words are reserved; all other keywords are distinguished from names by position. Constructs of CQL that this
 * version does not support are parsed and recorded in the statement, and later refused with their position. Callers:
 * the semantic package. Threads: a parser is used for one statement and is not thread-safe; statements are immutable
 * after parsing.
 */
package dev.millrace.cql.language.syntax;
