/**
 * Benchmarks of the engine in process: each workload beside a hand-written loop that does the same work on the same
 * input, round by round in one run, with a check that both put out the same.
 *
 * <pre>
 *   TickData ─► Workload ─┬─► rules ─► RulePlanner ─► PipelineCompiler ─► Pipeline ─► Tally
 *                         └─► limit: a loop written by hand ─────────────────────────► Tally
 *   EngineBench: rounds of both in turn, CPU time of the thread, bytes allocated ─► table, JSON lines
 * </pre>
 *
 * <p>Who may call: the command line. Threads: everything runs on the calling thread.
 */
package dev.millrace.tuning;
