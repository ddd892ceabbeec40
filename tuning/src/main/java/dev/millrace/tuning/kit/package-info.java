/**
 * A benchmark kit: a server with many statements, and clients that send it market data over TCP at a pace.
 *
 * <pre>
 *   KitClient (a thread a connection) ──TCP──► KitServer (a thread a connection) ─► KitEngine
 *                                              or simulated clients ──────────────►   │
 *                                                                             network, KitStatistics
 * </pre>
 *
 * <p>Who may call: the command line. Threads: one a connection; the engine is entered by one at a time, and reports are
 * printed by the command's thread.
 */
package dev.millrace.tuning.kit;
