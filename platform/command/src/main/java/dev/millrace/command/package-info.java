/**
 * The {@code millrace} command.
 *
 * <p>Contents: the main class, one class per command, and their output. {@code instance} starts, finds and queries
 * server instances; {@code demo} and {@code bench} run the sample application and verify its output. Callers: users.
 * Threads: all work is on the main thread; a shutdown hook cleans up after an interruption.
 *
 * <pre>
 *   Main ─► app, domain ─► instance ─► management endpoint of a server
 *        └► demo, bench ─► instance + load generator process ─► figures, checked against ExpectedSignals
 * </pre>
 */
package dev.millrace.command;
