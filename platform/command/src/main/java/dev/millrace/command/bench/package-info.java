/**
 * Benchmarks that need more than the engine: a bare pair of sender and receiver over loopback, which is the limit of
 * what a server can reach, and a whole instance fed by the load generator.
 *
 * <p>Who may call: the bench command. Threads: the pair has one thread each; everything else runs on the main thread.
 */
package dev.millrace.command.bench;
