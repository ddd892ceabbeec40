/**
 * The cluster implemented with Apache Ignite. No Ignite type is visible outside this package.
 *
 * <p>Ignite calls listeners on its discovery thread, which must not block; they pass events to one thread of this
 * package, which calls the listeners of the platform and makes a fenced member rejoin.
 */
package dev.millrace.cluster.ignite;
