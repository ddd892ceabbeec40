/**
 * Partitioned channels: ownership of partitions, and the links that carry rows between members.
 *
 * <pre>
 *   member A                                                        member B
 *   PartitionRouter ──► rows of A's partitions continue here
 *       │ split by Routes
 *       └──► SendQueue: slots until acked ─► OutboundLink ═══ TCP ═══► InboundLink ──► entrance of the same channel
 *                                                   ◄══ acks ══
 *   SharedState: registrations and the table of owners, in a map replicated to all members
 *   Membership observes the members ─► Exchange applies the table: Holdings (partitions of this member), Strays (rows
 *                                      whose owner has left), InboundLinks (markers of other members)
 * </pre>
 *
 * <p>Callers: networks, through {@link dev.millrace.network.spi.PartitionedChannels}. Threads: a source thread routes
 * its own rows; each link has a sending thread and an acknowledgement reader; each incoming connection has a thread;
 * one thread per channel handles membership changes.
 */
package dev.millrace.cluster.partition;
