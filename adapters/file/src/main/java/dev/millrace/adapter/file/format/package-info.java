/** Formatting of rows as lines of CSV or JSON. Callers: the sinks of this module. Threads: the sink's. */
package dev.millrace.adapter.file.format;
