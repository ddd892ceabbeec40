/**
 * How commands show what instances answer: as table or JSON, once or again and again.
 *
 * <p>Who may call: commands. Threads: the main thread.
 */
package dev.millrace.command.view;
