/**
 * Rows of a database in the order of a position column: queries, conversion into columns of a batch, and the positions
 * of the rows that were sent.
 *
 * <pre>
 *   SourceSession ─ rows after a position ─► ResultColumns ─► columns of the batch of NumberedRows ─► sender
 *    (PositionQuery,                           one ColumnReader              │
 *     Horizon)                                 per property                  └─► PositionLog: number ─► position
 * </pre>
 *
 * <p>Everything is confined to the thread that runs the source.
 */
package dev.millrace.adapter.jdbc.polling;
