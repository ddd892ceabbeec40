/**
 * SQL dialects, statements, metadata and the classification of failures.
 */
package dev.millrace.adapter.jdbc.database;
