/**
 * Other instances on this host: identifies them, and checks whether they use ports of this instance.
 *
 * <p>Callers: the activator, before it opens any port. Threads: the calling thread.
 */
package dev.millrace.server.port;
