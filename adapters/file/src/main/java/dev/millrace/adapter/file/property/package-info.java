/** The error codes of this module. Thread-safe. */
package dev.millrace.adapter.file.property;
