/**
 * Threads of the instance: named work managers with bounded pools, and limited threads for networks.
 *
 * <p>Callers: all of the server bundle; networks get a {@link java.util.concurrent.ThreadFactory} from here. Threads:
 * thread-safe.
 */
package dev.millrace.server.thread;
