/** The files that a source reads: one file, a file that grows and is rotated, or the files of a directory. */
package dev.millrace.adapter.file.inbound.select;
