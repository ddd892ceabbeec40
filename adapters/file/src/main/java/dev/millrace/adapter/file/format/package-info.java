/** Formatting of rows as lines of CSV or JSON. Callers: the sinks of this module. Threads: one per formatter. */
package dev.millrace.adapter.file.format;
