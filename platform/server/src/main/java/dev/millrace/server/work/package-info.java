/**
 * Threads of the instance: named work managers over bounded pools, and counted threads for networks.
 *
 * <p>Who may call: all of the server bundle; networks get a {@link java.util.concurrent.ThreadFactory} from here.
 * Threads: everything here is safe for all threads.
 */
package dev.millrace.server.work;
