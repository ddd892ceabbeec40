/**
 * Adapters for files: sources that read CSV or lines of JSON ({@code inbound}), sinks that write them into files
 * ({@code outbound}), the log or the standard output ({@code line}).
 *
 * <p>Callers: applications, by the providers that {@code Activator} registers.
 */
package dev.millrace.adapter.file;
