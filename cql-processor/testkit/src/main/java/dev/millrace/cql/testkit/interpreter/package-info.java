/**
 * The reference interpreter: a literal implementation of the definition of CQL, without regard to speed.
 *
 * <p>Parses statements with its own parser, checks them with its own rules and computes every result from scratch. No
 * class depends on a class of the engine. Called by the test kit, on the caller's thread; an interpreter object is used
 * by one thread at a time.
 *
 * <pre>
 *   text -> StatementReader -> Tree -> Builder -> Source (streams and relations by definition) -> Interpreter.run
 * </pre>
 */
package dev.millrace.cql.testkit.interpreter;
