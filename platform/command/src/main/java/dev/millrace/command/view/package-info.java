/**
 * Output of commands: as a table or JSON, once or repeatedly.
 *
 * <p>Callers: commands. Threads: the main thread.
 */
package dev.millrace.command.view;
