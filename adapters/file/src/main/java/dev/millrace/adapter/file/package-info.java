/**
 * Sinks that write events as lines of CSV or JSON into files.
 *
 * <pre>
 *   channel ─► FileSink ─► RowFormat ─► OutputFile ─► file, rotated files ─► RotatedFiles: gzip
 *                 └─► thread that commits ─► PositionFile
 * </pre>
 *
 * <p>Callers: applications, by the providers that {@code Activator} registers. Threads: the channel's, and one
 * per sink that commits.
 */
package dev.millrace.adapter.file;
