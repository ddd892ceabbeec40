/**
 * Lexer and recursive-descent parser.
 *
 * <pre>
 *   text ──► Lexer ──► tokens with spans ──► Parser ──► Statement (expressions are Calcite SqlNodes with spans)
 * </pre>
 *
 * <p>Few words are reserved; every other keyword is told from a name by its position. What CQL has and this version
 * lacks is parsed all the same and noted in the statement, to be refused at its place. Who may call: the semantic
 * package. Threads: a parser belongs to one statement and one thread; statements are not changed after parsing.
 */
package dev.millrace.cql.language.syntax;
