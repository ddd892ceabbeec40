/**
 * Row blocks between the channel and the writer, in memory and in spill files.
 */
package dev.millrace.adapter.jdbc.buffer;
