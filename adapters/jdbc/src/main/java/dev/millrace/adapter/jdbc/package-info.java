/**
 * The sink that writes events into a table of a database: adapter provider {@code jdbc}.
 *
 * <pre>
 *   channel ─► JdbcSink ─► RowBuffer ─────────────────────────────► RowWriter ─► StoreSession ─► database
 *   (its thread copies     blocks of rows in memory, bounded;        (own thread, one)  statements of a Dialect,
 *    columns, no more)     then Spill: files, bounded; or waits                         one transaction a batch
 *                                                                       │
 *                          the database is away: back-off, again ◄──────┤
 *                          a row is wrong: halves of the batch, until it stands alone, is counted and logged ◄─┘
 * </pre>
 *
 * <p>Who may call: the platform, through {@link dev.millrace.adapter.jdbc.JdbcAdapterFactory}; benchmarks make a {@link
 * dev.millrace.adapter.jdbc.JdbcSink} themselves. Threads: events come on the thread of the channel, which copies
 * columns under a short lock; everything with the database happens on the writer's thread. Rows leave in the order in
 * which they came, each at least once.
 */
package dev.millrace.adapter.jdbc;
