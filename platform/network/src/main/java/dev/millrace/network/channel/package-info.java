/**
 * Operations of a channel on each batch: they set times, keep relations consistent, and queue rows. Internal to the
 * network.
 *
 * <pre>
 *   pass-through:  Inlet ─► steps of this lane ─► Outlet                     all on the sender's thread
 *   queue:         Inlet ─┐
 *                  Inlet ─┴► steps, one lane at a time ─► ChannelQueue ─► Outlet     one thread per consumer
 *   steps:         only inserts (streams) ─► time ─► primary key (relations)
 * </pre>
 *
 * <p>Time: a system-timestamped channel assigns times to rows of adapters and event beans; rows that a processor or
 * another channel passes on already have times and keep them. An application-timestamped channel always uses the
 * property. Times never go back within a lane of a pass-through channel, and across all lanes of a queue.
 *
 * <p>Heartbeats on idle lanes: one thread per network checks each lane. When a lane is idle, the thread acquires its
 * {@link dev.millrace.network.lane.LaneLock} and calls the lane instead of the source; it skips the lane when the
 * claim is taken. Into a queue it puts the heartbeat like a producer. A lane that is not idle costs the thread one
 * read.
 */
package dev.millrace.network.channel;
