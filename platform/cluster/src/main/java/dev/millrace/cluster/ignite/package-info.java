/**
 * The cluster by Apache Ignite. Nothing outside of this package sees its types.
 *
 * <p>Ignite calls listeners on its discovery thread, which must not wait; they hand over to one thread of ours, which
 * calls the listeners of the platform and brings a fenced member back.
 */
package dev.millrace.cluster.ignite;
