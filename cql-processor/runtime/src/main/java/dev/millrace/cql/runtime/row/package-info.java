/**
 * Rows, layouts and changes.
 */
package dev.millrace.cql.runtime.row;
