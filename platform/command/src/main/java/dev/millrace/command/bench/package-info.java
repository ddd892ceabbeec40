/**
 * Benchmarks beyond the engine: the loopback baseline, which is the limit of a server's input rate, and a whole
 * instance fed by the load generator.
 *
 * <p>Callers: the bench command. Threads: the two parts of the baseline have one thread each; all other code runs on
 * the main thread.
 */
package dev.millrace.command.bench;
