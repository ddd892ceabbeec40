/**
 * Sinks that append events to files, with rotation and stored numbers of rows.
 *
 * <pre>
 *   channel ─► FileSink ─► RowAppender: ReceivedRows, EventFormatter ─► OutputFile ─► file, rotated files
 *                 └─► DiskCommitter (thread) ─► PositionFile, RotatedFiles: gzip
 * </pre>
 *
 * <p>Callers: the provider of the adapter. Threads: the channel's, and one per sink that commits.
 */
package dev.millrace.adapter.file.outbound;
