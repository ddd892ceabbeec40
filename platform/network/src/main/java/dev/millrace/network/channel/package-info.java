/**
 * What a channel does with a batch: gives rows their times, keeps relations consistent, queues. Internal to the
 * network.
 *
 * <pre>
 *   pass-through:  Inlet ─► steps of this lane ─► Outlet                     all on the sender's thread
 *   queue:         Inlet ─┐
 *                  Inlet ─┴► steps, by turns ─► ChannelQueue ─► Outlet       one thread a consumer
 *   steps:         only inserts (streams) ─► time ─► primary key (relations)
 * </pre>
 *
 * <p>Time: a system-timestamped channel stamps what adapters and event beans send; rows that a processor or another
 * channel passes on have their times already and keep them. An application-timestamped channel always takes the
 * property. Times never go back within a lane of a pass-through channel, and over all lanes of a queue.
 *
 * <p>Heartbeats on silence: one thread a network looks at each silent lane and walks it in the source's place, which
 * it may because it takes the {@link dev.millrace.network.lane.LaneClaim} of the lane first and leaves the lane alone
 * when that is taken. Into a queue it puts the heartbeat like a producer. A lane that is not silent costs it one
 * read.
 */
package dev.millrace.network.channel;
