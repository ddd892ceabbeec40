/**
 * Bytes of files: plain or compressed, in any charset, with their positions and lines.
 *
 * <pre>
 *   InputFile: FileIdentity, RecordBuffer ◄─ TranscodingInput ◄─ GzipInput, PlainInput ◄─ file
 * </pre>
 *
 * <p>Callers: the sources of this module. Threads: the source's.
 */
package dev.millrace.adapter.file.inbound.input;
