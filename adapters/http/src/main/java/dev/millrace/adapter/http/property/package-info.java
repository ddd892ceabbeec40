/** The error codes of this module, and how requests are refused with them. Thread-safe. */
package dev.millrace.adapter.http.property;
