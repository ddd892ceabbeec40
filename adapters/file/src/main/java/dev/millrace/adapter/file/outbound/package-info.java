/**
 * Sinks that append events to files, with rotation and stored numbers of rows.
 *
 * <pre>
 *   channel ─► AppendingSink ─► RowAppender: ReceivedRows, RowEncoding ─► OutputFile ─► file, rotated files
 *                 ├─► DiskCommitter (thread) ─► PositionFile
 *                 └─► FileFinisher (thread) ─► RotatedFiles ─► FileConversion: gzip, Parquet
 * </pre>
 *
 * <p>Callers: the provider of the adapter. Threads: the channel's, and two per sink, which commit and
 * finish rotated files.
 */
package dev.millrace.adapter.file.outbound;
