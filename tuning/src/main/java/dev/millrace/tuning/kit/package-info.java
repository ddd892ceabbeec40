/**
 * A benchmark kit: a server with many statements, and clients that send it market data over TCP at a pace.
 *
 * <pre>
 *   KitClient (a thread per connection) ─TCP─► KitServer (a thread per connection) ─► KitEngine
 *                                              or simulated clients ──────────────►   │
 *                                                                             network, KitStatistics
 * </pre>
 *
 * <p>Callers: the command line. Threads: one per connection; one at a time executes in the engine, and the command's
 * thread prints reports.
 */
package dev.millrace.tuning.kit;
