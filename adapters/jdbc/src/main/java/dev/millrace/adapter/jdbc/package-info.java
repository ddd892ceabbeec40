/**
 * A sink that writes events to a database table, adapter provider {@code jdbc}, and a source that reads new rows,
 * adapter provider {@code jdbc-inbound}.
 *
 * <pre>
 *   channel ─► JdbcSink ─► RowBuffer ─────────────────────────────► RowWriter ─► DatabaseSession ─► database
 *   (its thread only       blocks of rows in memory, bounded;        (dedicated  statements of a Dialect,
 *    copies columns)       then Spill: files, bounded; or waits       thread)    one transaction per batch
 *                                                                       │
 *                          database unavailable: back-off, retry ◄──────┤
 *    a row is wrong: halve the batch until it is alone, count, log ◄────┘
 * </pre>
 *
 * <pre>
 *   database ─► RowPoller ─► SourceSession ─► NumberedRows ─► channel      JdbcSource: properties and life cycle
 *               (its thread)  queries          batch, numbers             SourceStart: where it continues
 * </pre>
 *
 * <p>Callers: the platform, through {@link dev.millrace.adapter.jdbc.JdbcAdapterFactory}; benchmarks create a
 * {@link dev.millrace.adapter.jdbc.JdbcSink} directly. Threads: events arrive on the channel thread, which copies
 * columns under a short-held lock; the writer thread makes all database calls. Rows are written in the order of
 * arrival, each at least once. A source makes all calls on its thread.
 */
package dev.millrace.adapter.jdbc;
