/**
 * Starts an OSGi framework from a home and a domain directory, and stops it cleanly. Uses {@code org.osgi.framework}
 * only, so that any framework on the class path works.
 *
 * <pre>
 *   home/lib/*.jar               class path: this package, the framework, logging
 *   home/bundles/10-base, 20-..  bundles, jars or unpacked; the number of a folder is the start level of its bundles
 *   domain/var/cache             storage of the framework, created again at each start
 *   domain/var/server.lock, pid  one process per domain
 * </pre>
 *
 * <p>Callers: the start script and tests. Threads: {@code main} starts everything and then waits; the shutdown hook
 * stops the framework; a watchdog ends the process when stopping takes too long.
 */
package dev.millrace.launcher;
