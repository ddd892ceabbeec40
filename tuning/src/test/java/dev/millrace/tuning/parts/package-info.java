/**
 * JMH benchmarks of the parts of the workloads: tables, windows, rings, codecs. Each counts one row or look-up per
 * operation, over enough different keys and values that branch predictors cannot learn them.
 * {@link dev.millrace.tuning.parts.PartsTest} runs them: briefly in every build, in full on request.
 */
package dev.millrace.tuning.parts;
