/**
 * Channels whose rows are shared out among members: who owns which partition, and the links on which rows travel.
 *
 * <pre>
 *   member A                                                        member B
 *   SourceWay ──► rows of A's partitions, on at once
 *       │ split by Routes
 *       └──► OutQueue: slots until acked ─► OutLink ═══ TCP ═══► InLink ──► entrance of the same channel
 *                                                   ◄══ acks ══
 *   SharedState: registrations and the table of owners, in a map that all members have
 *   Membership looks who is there ─► Exchange follows the table: Holdings (what this member has), Strays (rows whose
 *                                    owner is gone), InLinks (marks of the others)
 * </pre>
 *
 * <p>Called by networks through {@link dev.millrace.network.spi.PartitionedChannels}. Threads: sources walk their ways;
 * each link has a sending thread and one that reads acknowledgements, each connection that comes in has one; what
 * changes with the members is done by one thread a channel.
 */
package dev.millrace.cluster.partition;
