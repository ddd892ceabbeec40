/**
 * Creates the market of the sample: the symbols and a file of ticks, the same in every build.
 *
 * <p>Callers: the build and tests. Threads: everything runs on the caller's thread; there is no shared state.
 */
package dev.millrace.samples.signalgeneration.feed;
