/**
 * A benchmark kit: a server with many statements, and clients that send it market data over TCP at a pace.
 *
 * <pre>
 *   KitClient (one thread per connection) ─TCP─► KitServer (one thread per connection) ─► KitEngine
 *                                                or simulated clients ────────────────►   │
 *                                                                                 network, KitStatistics
 * </pre>
 *
 * <p>Callers: the command line. Threads: each connection has a thread; one at a time executes in the engine, and the
 * command's thread prints reports.
 */
package dev.millrace.tuning.kit;
