/**
 * JMH benchmarks of the parts that the workloads are made of: tables, windows, rings, codecs. Each counts one row or
 * look-up an operation, over keys and values that are different often enough for no predictor to learn them.
 * {@link dev.millrace.tuning.parts.PartsTest} runs them: shortly in every build, in full when asked to.
 */
package dev.millrace.tuning.parts;
