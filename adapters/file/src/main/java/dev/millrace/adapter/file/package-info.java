/**
 * Sinks that write events as lines of CSV or JSON: into files, the log, or the standard output.
 *
 * <pre>
 *   channel ─► FileSink ─► EventFormatter, RowFormat ─► OutputFile ─► file, rotated files ─► RotatedFiles: gzip
 *                 └─► thread that commits ─► PositionFile
 *   channel ─► LineSink ─► EventFormatter, LineLimit ─► LogSink, ConsoleSink
 *   channel ─► NullSink
 * </pre>
 *
 * <p>Callers: applications, by the providers that {@code Activator} registers. Threads: the channel's, and one
 * per sink that commits.
 */
package dev.millrace.adapter.file;
