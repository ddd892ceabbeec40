/**
 * Workloads, rounds, checksums and measurements.
 */
package dev.millrace.tuning.harness;
