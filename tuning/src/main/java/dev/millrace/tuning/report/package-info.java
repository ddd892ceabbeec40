/**
 * Result tables and ratios.
 */
package dev.millrace.tuning.report;
