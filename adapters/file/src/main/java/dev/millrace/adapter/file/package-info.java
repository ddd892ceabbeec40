/**
 * Adapters for files: sinks that write events as lines of CSV or JSON into files ({@code outbound}), the log or the
 * standard output ({@code line}).
 *
 * <p>Callers: applications, by the providers that {@code Activator} registers.
 */
package dev.millrace.adapter.file;
