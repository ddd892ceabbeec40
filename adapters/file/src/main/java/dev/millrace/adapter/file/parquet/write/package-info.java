/**
 * Writes Parquet files, without Hadoop and native libraries. Rows are first appended to a log, from which a file is
 * made when it is complete, because a Parquet file can only be read, and its columns only be compressed, as a whole.
 *
 * <pre>
 *   EventBatch ─► RowLogEncoder ─► log ─► RowLog ─► ParquetFileWriter: ChunkWriter ─► PageCompression ─► file
 * </pre>
 *
 * <p>Callers: the sink of this module. Threads: the channel's encodes; the one that finishes files converts.
 */
package dev.millrace.adapter.file.parquet.write;
