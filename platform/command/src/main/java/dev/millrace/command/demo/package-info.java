/**
 * Samples that run with one command. Signal Generation runs end to end: an instance in a temporary domain, the load
 * generator on the same machine, and a comparison of the output with a computation that shares no code with the engine.
 *
 * <pre>
 *   tick file ─► load generator ══TCP══► instance ─► counts ─┐
 *        └─────► ExpectedSignals ◄── rows sent ──────────────┴─► equal, or the demo fails
 * </pre>
 *
 * <p>The others are projects without Java code ({@code Sample}) that {@code SampleRun} packs, deploys and feeds.
 *
 * <p>Callers: the demo and bench commands. Threads: the main thread; a shutdown hook closes open resources.
 */
package dev.millrace.command.demo;
