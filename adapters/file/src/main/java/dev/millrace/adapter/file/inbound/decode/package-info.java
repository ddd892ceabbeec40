/**
 * Decoders of records: CSV and lines of JSON, directly to the columns of a batch.
 *
 * <p>Callers: the sources of this module. Threads: the source's.
 */
package dev.millrace.adapter.file.inbound.decode;
