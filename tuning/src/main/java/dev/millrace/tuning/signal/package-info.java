/**
 * Workloads of the white paper: pair, trend, sums and wire.
 */
package dev.millrace.tuning.signal;
