/**
 * Other instances on this host: who they are, and whether they have ports that this one is to have.
 *
 * <p>Who may call: the activator, before anything listens. Threads: that of the caller.
 */
package dev.millrace.server.neighbours;
