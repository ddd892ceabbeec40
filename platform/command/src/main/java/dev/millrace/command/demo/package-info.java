/**
 * The sample application run end to end: an instance in a domain of its own, the load generator beside it, and a check
 * of what comes out against a computation that shares no code with the engine.
 *
 * <pre>
 *   tick file ─► load generator ══TCP══► instance ─► counts ─┐
 *        └─────► ExpectedSignals ◄── rows sent ─────────────┴─► equal, or the demo fails
 * </pre>
 *
 * <p>Who may call: the demo and bench commands. Threads: the main thread; a shutdown hook closes what is open.
 */
package dev.millrace.command.demo;
