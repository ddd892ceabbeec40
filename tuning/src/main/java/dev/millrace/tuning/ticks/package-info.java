/**
 * Workloads over stock ticks: filters, windows, sequences and workers.
 */
package dev.millrace.tuning.ticks;
