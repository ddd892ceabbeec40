/**
 * Server instances as the command line sees them: home and domain directories, the process of an instance, and its
 * management endpoint.
 *
 * <p>Who may call: the commands and tests. Threads: nothing here starts a thread; every class is for one thread
 * unless it says otherwise.
 */
package dev.millrace.command.instance;
