/**
 * The read-only parts of {@code millrace app}: list, status, statistics, logs.
 *
 * <p>Callers: the command line. Threads: the main thread.
 */
package dev.millrace.command.app;
