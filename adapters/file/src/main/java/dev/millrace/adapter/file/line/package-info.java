/**
 * Sinks for development and diagnosis: lines of the log or of the standard output, and a sink that only counts.
 *
 * <pre>
 *   channel ─► LineSink ─► EventFormatter, LineLimit ─► LogSink, ConsoleSink
 *   channel ─► NullSink
 * </pre>
 *
 * <p>Callers: the providers of the adapters. Threads: the channel's.
 */
package dev.millrace.adapter.file.line;
