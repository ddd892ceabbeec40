/**
 * The reference interpreter: CQL as it is defined, without any thought of speed.
 *
 * <p>Reads statements with its own reader, checks them with its own rules and works out every result from scratch.
 * No class here knows one of the engine's. Called by the test kit, on the caller's thread; an interpreter object
 * belongs to one thread at a time.
 *
 * <pre>
 *   text -> StatementReader -> Tree -> Builder -> Source (streams and relations by definition) -> Interpreter.run
 * </pre>
 */
package dev.millrace.cql.testkit.interpreter;
