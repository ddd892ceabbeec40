/**
 * Benchmarks of the engine in process: each workload beside a hand-written loop that does the same work on the same
 * input, round by round in one run, with a check that both put out the same.
 *
 * <pre>
 *   TickData ─► Workload ─┬─► rules ─► RulePlanner ─► PipelineCompiler ─► Pipeline ─► Tally
 *                         └─► limit: a loop written by hand ─────────────────────────► Tally
 *
 *   EngineBench: options ─► Workloads: a line each ─┬─► Measurement of a Workload: rounds of both in turn ─┐
 *                                                   └─► Experiment: measures in a way of its own ──────────┴─► Report
 * </pre>
 *
 * <p>Who may call: the command line. Threads: a {@code Workload} runs on the calling thread, an {@code Experiment} has
 * those that it starts.
 */
package dev.millrace.tuning;
