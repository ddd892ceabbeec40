/**
 * Sources that read the rows of files.
 *
 * <pre>
 *   FileSelector: which file ─► SourceLoop ─► OpenFile ─► RecordReader ─► RowDecoder ─► RowBatch ─► channel
 *                                  │             (speed: ReplayPace; rejected: RejectedRows)
 *                                  ├─► StreamPositions: stored on disk
 *                                  └─► ReadFiles: moved, deleted or forgotten after their rows were received
 * </pre>
 *
 * <p>Callers: the providers of the adapters. Threads: the source's, which the network starts.
 */
package dev.millrace.adapter.file.inbound;
