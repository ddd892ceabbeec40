/**
 * The {@code millrace} command.
 *
 * <p>Who lives here: the main class, one class a command, and what they print. {@code instance} starts, finds and asks
 * server instances; {@code demo} and {@code bench} run the sample application and check what it puts out. Who may
 * call: users. Threads: everything happens on the main thread; a shutdown hook cleans up after an interruption.
 *
 * <pre>
 *   Main ─► app, domain ─► instance ─► management endpoint of a server
 *        └► demo, bench ─► instance + load generator process ─► figures, checked against ExpectedSignals
 * </pre>
 */
package dev.millrace.command;
