/**
 * Bursts of rows for a database.
 */
package dev.millrace.tuning.burst;
