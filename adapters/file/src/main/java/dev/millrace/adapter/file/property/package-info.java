/** Validation of instance properties, and the error codes of this module. Thread-safe. */
package dev.millrace.adapter.file.property;
