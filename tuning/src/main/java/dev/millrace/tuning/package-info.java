/**
 * Benchmarks of the engine in process: each workload is compared with a hand-written loop that does the same work on
 * the same input, in alternating rounds of one run, and a check ensures that both emit the same rows.
 *
 * <pre>
 *   TickData ─► Workload ─┬─► rules ─► RulePlanner ─► PipelineCompiler ─► Pipeline ─► Tally
 *                         └─► limit: a hand-written baseline ─────────────────────────► Tally
 *
 *   EngineBench: options ─► Workloads: a line each ─┬─► Measurement of a Workload: rounds of both in turn ─┐
 *                                                   └─► Experiment: has its own procedure ──────────┴─► Report
 * </pre>
 *
 * <p>Callers: the command line. Threads: a {@code Workload} runs on the calling thread, an {@code Experiment} starts
 * its own threads.
 */
package dev.millrace.tuning;
