/**
 * Makes the market of the sample: the symbols and a file of ticks, the same at every build.
 *
 * <p>Who may call: the build and tests. Threads: everything runs on the caller's thread; nothing is shared.
 */
package dev.millrace.samples.signalgeneration.feed;
