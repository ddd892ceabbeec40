/**
 * A network for a benchmark.
 */
package dev.millrace.tuning.engine;
