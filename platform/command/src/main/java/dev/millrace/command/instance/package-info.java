/**
 * Server instances from the view of the command line: home and domain directories, the process of an instance, and its
 * management endpoint.
 *
 * <p>Callers: the commands and tests. Threads: nothing here starts a thread; classes are not thread-safe unless stated.
 */
package dev.millrace.command.instance;
