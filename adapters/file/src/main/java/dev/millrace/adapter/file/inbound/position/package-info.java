/**
 * Positions of sources: which files the stream of rows consists of, and how far they were read.
 *
 * <pre>
 *   number of a row ◄─► StreamFile: start + offset        StreamPositions ─► PositionLog ─► disk
 * </pre>
 *
 * <p>Callers: the sources of this module. Threads: the source's.
 */
package dev.millrace.adapter.file.inbound.position;
