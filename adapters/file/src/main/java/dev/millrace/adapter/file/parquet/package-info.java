/**
 * Reads the rows of Parquet files: footer, pages, and values by column. Pages are decoded by the libraries of Apache
 * Parquet that need no Hadoop.
 *
 * <p>Callers: the source of this module, on its thread.
 */
package dev.millrace.adapter.file.parquet;
