/**
 * The parts of {@code millrace app} that look at applications: list, status, statistics, logs.
 *
 * <p>Who may call: the command line. Threads: the main thread.
 */
package dev.millrace.command.app;
